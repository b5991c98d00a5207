import * as z from 'zod';
import { Usage } from '../protocol/thread.js';

export const UsageKey = z.enum(['day', 'runtime', 'thread']);
export type UsageKey = z.infer<typeof UsageKey>;

/** What was used by one day, runtime or thread; the cost is null while none is known. */
export const UsageTotal = z.object({ key: z.string(), usage: Usage });
export type UsageTotal = z.infer<typeof UsageTotal>;
