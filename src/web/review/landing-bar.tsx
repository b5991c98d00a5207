import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Client } from '../../client/client.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { ThreadId } from '../../protocol/id.js';
import { type Landing, MergeMethod } from '../../protocol/landing.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { readFailed } from '../parts/read-failure.js';
import { WatchControl } from './watch-control.js';

/** What a person can ask for here. */
type Kind = Exclude<Landing['kind'], 'watch'>;

const titles: Readonly<Record<Kind, string>> = {
  merge: 'Merge the work',
  apply: 'Apply the work to your folder',
  pr: 'Open a pull request',
  push: 'Push the branch',
  discard: 'Discard the work',
};
const consequences: Readonly<Record<Kind, string>> = {
  merge:
    'What the agent has not committed is committed, and its branch is merged into the branch that the work came from. With conflicts, nothing is changed.',
  apply: 'The changes are put into your own folder, staged and not committed. You can take them back.',
  pr: 'What the agent has not committed is committed, its branch is pushed, and a pull request is opened with gh or glab. Without either of them you get the address to open it at. Nothing is forced.',
  push: 'What the agent has not committed is committed, and its branch is pushed to the repository. Nothing is forced.',
  discard:
    'The agent is ended; its worktree and its branch are removed. The work is kept under refs/handraise/discarded/.',
};
const doing: Readonly<Record<Kind, string>> = {
  merge: 'Merge',
  apply: 'Apply',
  pr: 'Pull request',
  push: 'Push',
  discard: 'Discard',
};
/** What can become of work; that of a repository which was fetched has no folder here to go into. */
const ways = ['discard', 'apply', 'pr', 'merge'] as const;
const waysOfFetched = ['discard', 'pr', 'push'] as const;

const methodWords: Readonly<Record<MergeMethod, string>> = {
  merge: 'merge, fast-forward where possible',
  'no-ff': 'always a merge commit',
  squash: 'one commit (squash)',
  rebase: 'every commit on top (rebase)',
};

interface Choice {
  readonly kind: Kind;
  readonly method?: MergeMethod;
  readonly undo?: true;
  readonly resolveWithAgent?: true;
}

/** How the work becomes its user's: merge, apply, push or discard it, each after a look at what that does, and what became of it. */
export function LandingBar({
  threadId,
  lastSeq,
  isFetched,
  onLanded,
}: {
  readonly threadId: ThreadId;
  /** The newest event of the thread; what becomes of a landing is told there. */
  readonly lastSeq: number;
  /** Whether the work was given as the address of a repository. */
  readonly isFetched: boolean;
  readonly onLanded: () => void;
}): ReactNode {
  const { client } = useConsole();
  const [asked, setAsked] = useState<Kind>();
  const [isActing, setActing] = useState(false);
  const [landings, setLandings] = useState<readonly Landing[]>([]);
  const [failure, setFailure] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again with every event
  useEffect(() => {
    client.threads.landings(threadId).then(setLandings, readFailed);
  }, [client, threadId, lastSeq]);
  useKeys(isFetched ? {} : { M: () => setAsked('merge') });
  const [result, before] = landings.filter(({ kind }) => kind !== 'watch');
  const act = async (ask: (threads: Client['threads']) => Promise<unknown>) => {
    setAsked(undefined);
    setActing(true);
    setFailure(undefined);
    try {
      await ask(client.threads);
      setLandings(await client.threads.landings(threadId));
      onLanded();
    } catch (error) {
      setFailure(errorSentence(error));
    } finally {
      setActing(false);
    }
  };
  const land = ({ kind, method = 'merge', undo, resolveWithAgent }: Choice) =>
    act(async (threads) => {
      if (kind === 'merge')
        await threads.merge(threadId, { method, ...(resolveWithAgent && { resolveWithAgent }) });
      else if (kind === 'apply') await threads.apply(threadId, undo ? { undo } : {});
      else if (kind === 'pr') await threads.openPullRequest(threadId);
      else if (kind === 'push') await threads.push(threadId);
      else await threads.discard(threadId);
    });
  return (
    <div className="landing-bar" role="group" aria-label="Land the work">
      <div className="landing-result" role="status">
        {isActing && 'Working…'}
        {!isActing && failure !== undefined && <span className="is-bad">{plainText(failure)}</span>}
        {!isActing && failure === undefined && result && (
          <ResultView
            landing={result}
            canUndo={result.kind === 'apply' && result.state === 'done' && before?.state !== 'undone'}
            onUndo={() => void land({ kind: 'apply', undo: true })}
            onResolve={() => void land({ kind: 'merge', resolveWithAgent: true })}
          />
        )}
      </div>
      <div className="answer-row">
        {(isFetched ? waysOfFetched : ways).map((kind) => (
          <button
            key={kind}
            type="button"
            className={kind === 'discard' ? 'danger' : ''}
            disabled={isActing}
            onClick={() => setAsked(kind)}
          >
            {doing[kind]}… {kind === 'merge' && <kbd>⇧M</kbd>}
          </button>
        ))}
      </div>
      <WatchControl
        landings={landings}
        isActing={isActing}
        onWatch={() => void act((threads) => threads.watchPullRequest(threadId))}
        onStop={() => void act((threads) => threads.unwatchPullRequest(threadId))}
      />
      {asked !== undefined && (
        <LandingDialog
          kind={asked}
          onLand={(choice) => void land(choice)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

function ResultView({
  landing,
  canUndo,
  onUndo,
  onResolve,
}: {
  readonly landing: Landing;
  /** Whether it is an application; taking one back is a landing of the same kind. */
  readonly canUndo: boolean;
  readonly onUndo: () => void;
  readonly onResolve: () => void;
}): ReactNode {
  const { state, sentence, conflicts = [], output, dispatchId, pullRequest, createUrl } = landing;
  const address = pullRequest ?? createUrl;
  const isBad = state === 'conflicted' || state === 'failed';
  return (
    <>
      <p className={isBad ? 'is-bad' : ''}>
        {state === 'conflicted' ? conflictWords(landing) : plainText(sentence)}
      </p>
      {conflicts.length > 0 && (
        <ul className="conflicts" aria-label="Conflicts">
          {conflicts.map((path) => (
            <li key={path}>
              <code>{plainLine(path)}</code>
            </li>
          ))}
        </ul>
      )}
      {address !== undefined && /^https?:\/\//.test(address) && (
        <p>
          <a href={address} target="_blank" rel="noreferrer">
            {pullRequest === undefined ? 'Open the pull request yourself' : plainLine(address)}
          </a>
        </p>
      )}
      {output !== undefined && <pre tabIndex={0}>{plainText(output)}</pre>}
      {state === 'conflicted' && dispatchId === undefined && (
        <button type="button" onClick={onResolve}>
          Send the conflicts to the agent
        </button>
      )}
      {canUndo && (
        <button type="button" className="plain" onClick={onUndo}>
          Take it back
        </button>
      )}
    </>
  );
}

/** Without the command that a terminal would need: there is a button for it. */
function conflictWords({ into = 'your files', dispatchId }: Landing): string {
  const next =
    dispatchId === undefined ? '' : ' The agent was asked to resolve them; merge again when it is done.';
  return `The work and ${plainLine(into)} changed the same lines of these files. Nothing was changed.${next}`;
}

function LandingDialog({
  kind,
  onLand,
  onClose,
}: {
  readonly kind: Kind;
  readonly onLand: (choice: Choice) => void;
  readonly onClose: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [method, setMethod] = useState<MergeMethod>('merge');
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="landing-dialog" aria-labelledby="landing-title" onClose={onClose}>
      <h2 id="landing-title">{titles[kind]}</h2>
      <p>{consequences[kind]}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onLand({ kind, method });
        }}
      >
        {kind === 'merge' && (
          <label className="landing-method">
            How
            <select
              value={method}
              onChange={(event) => setMethod(MergeMethod.safeParse(event.target.value).data ?? 'merge')}
            >
              {MergeMethod.options.map((each) => (
                <option key={each} value={each}>
                  {methodWords[each]}
                </option>
              ))}
            </select>
          </label>
        )}
        <div className="answer-row">
          <button type="submit" className={kind === 'discard' ? 'danger' : 'primary'}>
            {doing[kind]}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
