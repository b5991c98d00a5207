import * as z from 'zod';
import { ThreadId } from '../protocol/id.js';
import { ObservedList } from '../protocol/observed.js';
import { Prompt } from '../protocol/prompt.js';
import { Thread } from '../protocol/thread.js';

/** What the overview tells: a thread or a prompt as it stands, that a thread was removed, all observed sessions, or that everything there is has been told. */
export const OverviewNews = z.discriminatedUnion('event', [
  z.object({ event: z.literal('thread'), data: Thread }),
  z.object({ event: z.literal('prompt'), data: Prompt }),
  z.object({ event: z.literal('removed'), data: z.object({ id: ThreadId }) }),
  z.object({ event: z.literal('observed'), data: ObservedList }),
  z.object({ event: z.literal('present') }),
]);
export type OverviewNews = z.infer<typeof OverviewNews>;
