import type { ThreadDiff } from '../../protocol/api.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import type { Thread } from '../../protocol/thread.js';
import { type FileEvent, type ThreadFileLine, threadFileVersion } from '../../protocol/thread-file.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { plainTranscript } from './plain-transcript.js';

/** Everything of a thread that goes into its file, as it is read. */
export interface ThreadFileSource {
  readonly thread: Thread;
  readonly exportedAt: string;
  readonly dispatches: AsyncIterable<Dispatch>;
  readonly events: AsyncIterable<FileEvent>;
  readonly items: AsyncIterable<ThreadItem>;
  /** What it changed; null where there is no repository, or the worktree is gone. */
  diff(): Promise<ThreadDiff | null>;
}

/** The lines of a thread's file, in their order. */
export async function* threadFileLines(source: ThreadFileSource): AsyncGenerator<ThreadFileLine> {
  const { thread, exportedAt } = source;
  yield { kind: 'thread', version: threadFileVersion, exportedAt, thread };
  for await (const dispatch of source.dispatches) yield { kind: 'dispatch', dispatch };
  for await (const event of source.events) yield { kind: 'event', event };
  const items: ThreadItem[] = [];
  for await (const item of source.items) {
    items.push(item);
    yield { kind: 'item', item };
  }
  yield { kind: 'diff', diff: await source.diff() };
  yield { kind: 'transcript', text: plainTranscript(items) };
}
