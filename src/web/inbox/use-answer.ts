import { useState } from 'react';
import { heldBack, settledIn } from '../../live/held-answer.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { Answer, Prompt } from '../../protocol/prompt.js';
import { useConsole } from '../console-context.js';
import { useConsoleSettings } from '../console-settings.js';
import { useSteady } from '../parts/use-steady.js';

/** How an answer is given, and what became of the last one. */
export interface Answering {
  readonly isSending: boolean;
  readonly failure: string | undefined;
  /** Why the last press did nothing. */
  readonly hint: string | undefined;
  /** Whether what is shown has been there for a moment. */
  readonly isSteady: boolean;
  /** Whether a decision may be made now; one that comes too early is told and forgotten. */
  readonly mayDecide: () => boolean;
  readonly send: (answer: Answer) => void;
  readonly cancel: () => void;
}

// Until the worker has told.
const usualUndoSeconds = 5;

const tooEarly = 'This had just appeared, so nothing was decided. Press again.';

/** Answers a prompt, and with it the equal ones that are shown. One that was settled meanwhile is shown as it stands; that is no error. */
export function useAnswer(
  prompt: Prompt,
  options: { readonly together: readonly Prompt[]; readonly onAnswered: (() => void) | undefined },
): Answering {
  const { client, overview } = useConsole();
  const undoSeconds = useConsoleSettings()?.undoSeconds ?? usualUndoSeconds;
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [hint, setHint] = useState<string>();
  // What an answer covers: more than that, or something else, has to be seen for a moment too.
  const isSteady = useSteady([prompt, ...options.together].map(({ id }) => id).join(' '));
  const mayDecide = () => {
    setHint(isSteady ? undefined : tooEarly);
    return isSteady;
  };

  const act = async (ask: () => Promise<readonly Prompt[]>) => {
    if (isSending || !mayDecide()) return;
    setSending(true);
    setFailure(undefined);
    try {
      for (const each of await ask()) overview.know(each);
      options.onAnswered?.();
    } catch (error) {
      const settled = settledIn(error);
      if (settled) overview.know(settled);
      else setFailure(errorSentence(error));
    } finally {
      setSending(false);
    }
  };
  return {
    isSending,
    failure,
    hint,
    isSteady,
    mayDecide,
    send: (answer) =>
      void act(async () => {
        const request = heldBack(prompt, answer, undoSeconds);
        const first = await client.prompts.answer(prompt.id, request);
        // Each by its id: one that came after this page was drawn has not been seen.
        const others = options.together.map(({ id }) => client.prompts.answer(id, request));
        return [first, ...(await Promise.allSettled(others)).flatMap(settledPrompt)];
      }),
    cancel: () => void act(async () => [await client.prompts.cancel(prompt.id)]),
  };
}

/** How an equal prompt stands now: answered with the others, or by somebody else before. */
function settledPrompt(result: PromiseSettledResult<Prompt>): Prompt[] {
  if (result.status === 'fulfilled') return [result.value];
  const settled = settledIn(result.reason);
  return settled ? [settled] : [];
}
