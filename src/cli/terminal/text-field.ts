import { plainText } from '../../domain/plain-text.js';
import type { Key } from './key.js';

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
      return { before: before.replace(/\S+\s*$/, ''), after };
    default:
      return field;
  }
}

/** The field on one line, with a mark where the cursor stands; a secret shows only that something is there. */
export function fieldLine(field: TextField, { isSecret = false } = {}): string {
  const shown = (text: string) => (isSecret ? '•'.repeat(parts(text).length) : text.replaceAll('\n', '⏎'));
  return `${shown(field.before)}▏${shown(field.after)}`;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function parts(text: string): string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

function withoutLast(text: string): string {
  return parts(text).slice(0, -1).join('');
}

function withoutFirst(text: string): string {
  return parts(text).slice(1).join('');
}
