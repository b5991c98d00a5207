import { useState } from 'react';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { usePrompt } from './use-prompt.js';

/** The prompt that a page shows, and how the person moves on from it. */
export interface KeptPrompt {
  readonly prompt: Prompt | undefined;
  readonly goOn: () => void;
}

/**
 * Of the prompts that are offered one after the other, the one that is on the screen: it stays, also when somebody else
 * settles it, until the person moves on or the page is about something else.
 */
export function useKeptPrompt(offered: PromptId | undefined, page: string): KeptPrompt {
  const [kept, setKept] = useState<{ readonly id: PromptId; readonly page: string }>();
  const isKept = kept?.page === page;
  if (!isKept && offered !== undefined) setKept({ id: offered, page });
  return { prompt: usePrompt(isKept ? kept.id : offered), goOn: () => setKept(undefined) };
}
