import { useCallback, useEffect, useState } from 'react';
import { contextHunk } from '../../domain/review/hidden-lines.js';
import type { Hunk } from '../../protocol/changes.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { ThreadId } from '../../protocol/id.js';
import { useConsole } from '../console-context.js';
import type { ShownContext, WantedLines } from './review-rows.js';

/** The lines around changes that were asked for; other changes begin with none. */
export function useShownContext(
  threadId: ThreadId,
  revision: string | undefined,
  onStale: () => void,
): { readonly context: ReadonlyMap<string, ShownContext>; readonly show: (wanted: WantedLines) => void } {
  const { client } = useConsole();
  const [context, setContext] = useState<ReadonlyMap<string, ShownContext>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read belongs to one state of the files
  useEffect(() => setContext(new Map()), [threadId, revision]);
  const show = useCallback(
    (wanted: WantedLines) => {
      const { path, from, count, shift } = wanted;
      const tell = (change: (known: ShownContext) => ShownContext) =>
        setContext((all) => new Map(all).set(path, change(all.get(path) ?? { hunks: [] })));
      const read = async () => {
        try {
          const found = await client.threads.fileLines(threadId, { path, from, count });
          if (found.revision !== revision) {
            onStale();
            return;
          }
          tell(({ hunks }) => ({
            hunks: withLines(hunks, contextHunk(from, found.lines, shift)),
            total: found.total,
          }));
        } catch (error) {
          tell((known) => ({ ...known, failure: errorSentence(error) }));
        }
      };
      void read();
    },
    [client, threadId, revision, onStale],
  );
  return { context, show };
}

/** A second press on a button, before the first is answered, shows nothing twice. */
function withLines(hunks: readonly Hunk[], more: Hunk): readonly Hunk[] {
  const end = more.newStart + more.newLines;
  const overlaps = hunks.some(
    ({ newStart, newLines }) => newStart < end && more.newStart < newStart + newLines,
  );
  return overlaps || more.newLines === 0 ? hunks : [...hunks, more];
}
