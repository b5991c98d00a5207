import { useState } from 'react';
import * as z from 'zod';
import { ApiFailure } from '../../client/api-failure.js';
import { type Answer, Prompt } from '../../protocol/prompt.js';
import { useOutside } from '../outside.js';
import { failureWords } from '../parts/failure-words.js';

/** How an answer is given, and what became of the last one. */
export interface Answering {
  readonly isSending: boolean;
  readonly failure: string | undefined;
  readonly send: (answer: Answer) => void;
  readonly cancel: () => void;
}

const Settled = z.looseObject({ prompt: Prompt });

/** Answers a prompt, and all that equal it where asked. One that was settled meanwhile is shown as it stands; that is no error. */
export function useAnswer(
  prompt: Prompt,
  options: { readonly isTogether: boolean; readonly onAnswered: (() => void) | undefined },
): Answering {
  const { client, overview } = useOutside();
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();

  const act = async (ask: () => Promise<readonly Prompt[]>) => {
    if (isSending) return;
    setSending(true);
    setFailure(undefined);
    try {
      for (const each of await ask()) overview.know(each);
      options.onAnswered?.();
    } catch (error) {
      const settled = error instanceof ApiFailure ? Settled.safeParse(error.problem).data?.prompt : undefined;
      if (settled) overview.know(settled);
      else setFailure(failureWords(error));
    } finally {
      setSending(false);
    }
  };
  return {
    isSending,
    failure,
    send: (answer) =>
      void act(async () =>
        options.isTogether
          ? await client.prompts.answerLike(prompt.id, answer)
          : [await client.prompts.answer(prompt.id, answer)],
      ),
    cancel: () => void act(async () => [await client.prompts.cancel(prompt.id)]),
  };
}
