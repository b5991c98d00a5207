// A thread as a file: lines of JSON, in this order, so that neither side has to hold a long one whole.
import * as z from 'zod';
import { ThreadDiff } from './api.js';
import { Dispatch } from './dispatch.js';
import { RuntimeName } from './posture.js';
import { requestObject } from './request-object.js';
import { Thread } from './thread.js';
import { ThreadItem } from './thread-item.js';

export const threadFileVersion = 1;

/** An event as a file has it; what more it has depends on its type. */
const FileEvent = z.looseObject({
  seq: z.int().positive(),
  type: z.string().regex(/^[a-z][a-z_]{0,60}$/),
  timestamp: z.iso.datetime(),
});

export type FileEvent = z.infer<typeof FileEvent>;

/** One line of such a file. */
export const ThreadFileLine = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('thread'),
    version: z.literal(threadFileVersion),
    exportedAt: z.iso.datetime(),
    thread: Thread,
  }),
  z.strictObject({ kind: z.literal('dispatch'), dispatch: Dispatch }),
  z.strictObject({ kind: z.literal('event'), event: FileEvent }),
  z.strictObject({ kind: z.literal('item'), item: ThreadItem }),
  z.strictObject({ kind: z.literal('diff'), diff: ThreadDiff.nullable() }),
  z.strictObject({ kind: z.literal('transcript'), text: z.string() }),
]);
export type ThreadFileLine = z.infer<typeof ThreadFileLine>;

/** A thread from elsewhere, to be read here. */
export const ImportRequest = requestObject({
  from: z.string().min(1).max(100).describe('The id that it had there.'),
  title: z.string().max(500),
  runtime: RuntimeName,
  createdAt: z.iso.datetime(),
  events: z
    .array(FileEvent.omit({ seq: true }).loose())
    .max(100_000)
    .describe('In order.'),
});
export type ImportRequest = z.infer<typeof ImportRequest>;
