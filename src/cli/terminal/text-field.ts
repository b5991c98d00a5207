import { plainText } from '../../domain/words/plain-text.js';
import { graphemes } from './graphemes.js';
import type { Key } from './key.js';

// Enough for every emoji, and for letters with more marks than can be read.
const longestGrapheme = 64;

/** A text that is being typed, and where the cursor stands in it. */
export interface TextField {
  readonly before: string;
  readonly after: string;
}

export const emptyField: TextField = { before: '', after: '' };

export function fieldText({ before, after }: TextField): string {
  return before + after;
}

/** The field after a key; a key that means nothing to it leaves it as it is. */
export function typed(field: TextField, key: Key): TextField {
  const { before, after } = field;
  switch (key.kind) {
    case 'text':
    case 'paste':
      return { before: before + plainText(key.text), after };
    case 'backspace':
      return { before: withoutLast(before), after };
    case 'delete':
      return { before, after: withoutFirst(after) };
    case 'left': {
      const rest = withoutLast(before);
      return { before: rest, after: before.slice(rest.length) + after };
    }
    case 'right': {
      const rest = withoutFirst(after);
      return { before: before + after.slice(0, after.length - rest.length), after: rest };
    }
    case 'home':
      return { before: '', after: before + after };
    case 'end':
      return { before: before + after, after: '' };
    case 'erase_line':
      return { before: '', after };
    case 'erase_word':
      return { before: withoutLastWord(before), after };
    default:
      return field;
  }
}

/** The field on one line, with a mark where the cursor stands; a secret shows only that something is there. */
export function fieldLine(field: TextField, { isSecret = false } = {}): string {
  const shown = (text: string) =>
    isSecret ? '•'.repeat([...graphemes(text)].length) : text.replaceAll('\n', '⏎');
  return `${shown(field.before)}▏${shown(field.after)}`;
}

function withoutLast(text: string): string {
  const last = [...graphemes(text.slice(-longestGrapheme))].at(-1) ?? '';
  return text.slice(0, text.length - last.length);
}

function withoutLastWord(text: string): string {
  const words = text.trimEnd();
  let end = words.length;
  while (end > 0 && words.charAt(end - 1).trim() !== '') end -= 1;
  return words === '' ? text : text.slice(0, end);
}

function withoutFirst(text: string): string {
  const { value: first = '' } = graphemes(text).next();
  return text.slice(String(first).length);
}
