import { type ReactNode, useState } from 'react';
import { isSnoozed } from '../../domain/thread/snooze.js';
import { snoozeChoices } from '../../domain/thread/snooze-times.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { Disclosure } from '../parts/disclosure.js';
import type { Selection } from './use-selection.js';

const mostFailuresShown = 3;

/** What can be done with the threads that are ticked: each on its own, and what was refused stays ticked and says why. */
export default function BulkBar({
  threads,
  listed,
  selection,
}: {
  /** Those that are ticked. */
  readonly threads: readonly Thread[];
  /** How many are listed. */
  readonly listed: number;
  readonly selection: Selection;
}): ReactNode {
  const { client, clock } = useConsole();
  const [isActing, setActing] = useState(false);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const failed = threads.filter(({ lastDispatch }) => lastDispatch?.result === 'failed');
  const working = threads.filter(({ status }) => status.state === 'busy' || status.state === 'question');
  const isAllPutOff = threads.length > 0 && threads.every((thread) => isSnoozed(thread, clock.now));

  const forEach = async (chosen: readonly Thread[], act: (thread: Thread) => Promise<unknown>) => {
    if (isActing) return;
    setActing(true);
    const refused: string[] = [];
    for (const thread of chosen) {
      try {
        await act(thread);
        if (selection.ids.has(thread.id)) selection.drop(thread.id);
      } catch (error) {
        refused.push(`${plainLine(thread.title, { maxLength: 60 })}: ${errorSentence(error)}`);
      }
    }
    setFailures(refused);
    setActing(false);
  };
  const archive = () => void forEach(threads, ({ id }) => client.threads.archive(id));
  const snooze = (until: string | null) =>
    void forEach(threads, ({ id }) => client.threads.snooze(id, { until }));
  const nextMorning = () => snooze(snoozeChoices(clock.now)[2]?.until ?? null);
  useKeys(threads.length > 0 ? { '#': archive, s: nextMorning } : {});

  return (
    <section className="bulk-bar" aria-label="Selected threads">
      {threads.length > 0 && (
        <div className="answer-row">
          <strong role="status">{threads.length} selected</strong>
          {threads.length < listed && (
            <button type="button" className="plain" onClick={selection.all}>
              Select all {listed} <kbd>X</kbd>
            </button>
          )}
          {failed.length > 0 && (
            <button
              type="button"
              disabled={isActing}
              onClick={() =>
                void forEach(failed, async ({ lastDispatch }) =>
                  lastDispatch ? await client.dispatches.retry(lastDispatch.id) : undefined,
                )
              }
            >
              Retry {failed.length} failed
            </button>
          )}
          {working.length > 0 && (
            <button
              type="button"
              disabled={isActing}
              onClick={() => void forEach(working, ({ id }) => client.threads.stop(id))}
            >
              Stop {working.length}
            </button>
          )}
          {isAllPutOff ? (
            <button type="button" disabled={isActing} onClick={() => snooze(null)}>
              Wake
            </button>
          ) : (
            <Disclosure label="Snooze" sign="Snooze" side="left">
              {snoozeChoices(clock.now).map(({ words, until }) => (
                <button key={words} type="button" disabled={isActing} onClick={() => snooze(until)}>
                  {words}
                </button>
              ))}
            </Disclosure>
          )}
          <button type="button" disabled={isActing} onClick={archive}>
            Archive <kbd>#</kbd>
          </button>
          <button type="button" className="plain" onClick={selection.clear}>
            Clear
          </button>
        </div>
      )}
      <div role="alert" className="note is-bad">
        {failures.slice(0, mostFailuresShown).map((failure) => (
          <p key={failure}>{failure}</p>
        ))}
        {failures.length > mostFailuresShown && <p>and {failures.length - mostFailuresShown} more</p>}
        {failures.length > 0 && (
          <button type="button" className="plain" onClick={() => setFailures([])}>
            Dismiss
          </button>
        )}
      </div>
    </section>
  );
}
