import './inbox.css';
import '../parts/parts.css';
import { type ReactNode, useMemo, useState } from 'react';
import { alike } from '../../domain/prompts/alike.js';
import { promptsByRest } from '../../live/awake-prompts.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useMinute } from '../clock.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { useOverview } from '../overview/use-overview.js';
import { useSwipe } from '../phone/use-swipe.js';
import { PromptDetail } from './prompt-detail.js';
import { PromptList } from './prompt-list.js';
import { useKeptPrompt } from './use-kept-prompt.js';

/** Every open prompt, the oldest first, and the one that is being answered. */
export default function InboxPage({ promptId }: { readonly promptId: PromptId | undefined }): ReactNode {
  const { overview: store, navigation, clock } = useConsole();
  const overview = useOverview(store);
  const now = useMinute(clock);
  const [isSnoozedShown, setSnoozedShown] = useState(false);
  const { awake, snoozed } = useMemo(() => promptsByRest(overview, now), [overview, now]);
  const listed = isSnoozedShown ? snoozed : awake;
  const groups = useMemo(() => alike(listed), [listed]);
  const settled = useMemo(() => settledPrompts(overview.prompts.values()), [overview]);
  const { prompt, goOn: release } = useKeptPrompt(promptId ?? groups[0]?.[0].id, promptId ?? 'inbox');
  const equals = groups.find((group) => group.some(({ id }) => id === prompt?.id)) ?? [];
  const entries = [
    ...groups.map((group) => ({ prompt: group[0], count: group.length })),
    ...settled.map((each) => ({ prompt: each, count: 1 })),
  ];

  const shown = entries.findIndex((entry) => entry.prompt.id === prompt?.id);
  const move = (step: number) => {
    const next = entries[Math.min(Math.max(shown + step, 0), entries.length - 1)];
    if (next) navigation.replace({ page: 'inbox', promptId: next.prompt.id });
  };
  const isNextOpen = groups.flat().some(({ id }) => id !== prompt?.id);
  const goOn = () => {
    release();
    const next = promptsByRest(store.overview, clock.now).awake.find(({ id }) => id !== prompt?.id);
    if (next) navigation.replace({ page: 'inbox', promptId: next.id });
    else if (prompt) navigation.replace({ page: 'inbox', promptId: prompt.id });
  };
  useKeys({ j: () => move(1), k: () => move(-1) }, { isRepeating: true });

  const swipe = useSwipe({ next: () => move(1), previous: () => move(-1) });

  return (
    <div className={promptId === undefined ? 'inbox' : 'inbox has-chosen'}>
      <div className="inbox-side">
        <h1>
          Inbox <span className="note">{sizeWords(awake.length, overview.isPresent)}</span>
        </h1>
        {(snoozed.length > 0 || isSnoozedShown) && (
          <p className="inbox-snoozed">
            <button
              type="button"
              className="plain"
              aria-pressed={isSnoozedShown}
              onClick={() => setSnoozedShown(!isSnoozedShown)}
            >
              Snoozed {snoozed.length}
            </button>
          </p>
        )}
        <PromptList entries={entries} threads={overview.threads} chosen={prompt?.id} />
      </div>
      <div className="inbox-main" {...swipe}>
        {prompt ? (
          <PromptDetail
            key={prompt.id}
            prompt={prompt}
            thread={overview.threads.get(prompt.threadId)}
            equals={equals.filter(({ id }) => id !== prompt.id)}
            onAnswered={goOn}
            onNext={isNextOpen ? goOn : undefined}
          />
        ) : (
          <p className={overview.isPresent ? 'empty' : 'loading'}>
            {overview.isPresent ? 'No agent is waiting for you.' : 'Loading…'}
          </p>
        )}
      </div>
    </div>
  );
}

/** The newest first: an answer that was just given stands on top. */
function settledPrompts(prompts: Iterable<Prompt>): Prompt[] {
  return [...prompts]
    .filter((prompt) => !isOpenPrompt(prompt))
    .toSorted((one, other) => (when(one) < when(other) ? 1 : -1));
}

function sizeWords(count: number, isPresent: boolean): string {
  if (!isPresent) return '';
  return count === 1 ? '1 open' : `${count} open`;
}

function when({ acceptedAt, createdAt }: Prompt): string {
  return acceptedAt ?? createdAt;
}
