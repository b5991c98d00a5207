import * as z from 'zod';
import { ResourceReport } from '../protocol/resource-use.js';
import { Usage } from '../protocol/thread.js';

export const UsageKey = z.enum(['day', 'runtime', 'thread', 'status']);
export type UsageKey = z.infer<typeof UsageKey>;

/** What was used by one day, runtime, thread or status; the cost is null while none is known. */
export const UsageTotal = z.object({ key: z.string(), usage: Usage, resources: ResourceReport.optional() });
export type UsageTotal = z.infer<typeof UsageTotal>;
