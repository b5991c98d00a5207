import type { Prompt } from '../../protocol/prompt.js';
import { askText } from '../words/ask-text.js';
import type { Asker } from '../words/ask-words.js';
import { hiddenCharacters, hiddenWords } from '../words/marked-text.js';

/** What one message of another program surely shows. */
const mostCharacters = 6000;
const mostLines = 100;

/** A prompt as one text with everything that belongs to the decision, or why it cannot be shown so. */
export type WholeText =
  | { readonly isWhole: true; readonly text: string }
  | { readonly isWhole: false; readonly text: string; readonly why: string };

/** What a person is shown outside of our own programs; nobody decides there about what is not in it. */
export function wholeText(
  prompt: Pick<Prompt, 'kind' | 'questions' | 'action'>,
  asker: Asker | undefined,
): WholeText {
  const text = askText(prompt, asker);
  const { questions, action } = prompt;
  if (questions.some(({ isSecret }) => isSecret))
    return { isWhole: false, text, why: 'It asks for a secret, which must not pass through here.' };
  const hidden = hiddenWords(hiddenCharacters({ questions, action }));
  if (hidden !== '') return { isWhole: false, text: beginningOf(text), why: `It ${hidden}.` };
  const lines = text.split('\n').length;
  if (text.length > mostCharacters || lines > mostLines)
    return {
      isWhole: false,
      text: beginningOf(text),
      why: `It has ${lines} lines and ${text.length} characters, more than can be shown here.`,
    };
  return { isWhole: true, text };
}

function beginningOf(text: string): string {
  const lines = text.split('\n').slice(0, mostLines).join('\n');
  const shown = lines.slice(0, mostCharacters);
  return shown.length < text.length ? `${shown}…` : shown;
}
