import { type ReactNode, useState } from 'react';
import { ApiFailure } from '../../client/api-failure.js';
import { alike } from '../../domain/prompts/alike.js';
import { settlementWords, undoWords } from '../../domain/words/settlement-words.js';
import { undoable } from '../../live/overview.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { useConsoleSettings } from '../console-settings.js';
import { useKeys } from '../keys/use-keys.js';
import { useOverview } from '../overview/use-overview.js';

/** The newest answer of this person that can still be undone, with those that were given together with it. */
export function UndoBar(): ReactNode {
  const { client, clock, navigation, overview: store } = useConsole();
  const actor = useConsoleSettings()?.actor;
  const overview = useOverview(store);
  const now = useNow(clock);
  const [failure, setFailure] = useState<string>();
  const held = undoable(overview, actor).filter(({ undoUntil = '' }) => Date.parse(undoUntil) > now);
  const newest = held.at(-1);
  const together = alike(held).find((group) => group.some(({ id }) => id === newest?.id)) ?? [];

  const undo = async (prompts: readonly Prompt[]) => {
    setFailure(undefined);
    for (const prompt of prompts) {
      try {
        store.know(await client.prompts.undo(prompt.id));
      } catch (error) {
        setFailure(
          error instanceof ApiFailure && error.code === 'prompt_settled'
            ? 'Too late to undo: the agent has this answer.'
            : errorSentence(error),
        );
      }
    }
    const [first] = prompts;
    if (first && navigation.place.page === 'inbox') navigation.replace({ page: 'inbox', promptId: first.id });
  };
  useKeys(newest ? { z: () => void undo(together) } : {});

  if (!newest) return failure === undefined ? null : <Message words={failure} />;
  return (
    <div className="undo-bar">
      <p role="status">
        {settlementWords(newest)}
        {together.length > 1 && ` (${together.length} times)`}
      </p>
      <button type="button" onClick={() => void undo(together)}>
        Undo <kbd>z</kbd>
      </button>
      <span className="note" aria-hidden="true">
        {undoWords(newest, now)}
      </span>
    </div>
  );
}

function Message({ words }: { readonly words: string }): ReactNode {
  return (
    <div className="undo-bar">
      <p role="alert">{words}</p>
    </div>
  );
}
