import type { Question } from '../../protocol/question.js';
import type { Key } from '../terminal/key.js';
import { emptyField, fieldText, type TextField, typed } from '../terminal/text-field.js';

/**
 * One question on the screen. The cursor walks over the options and a last entry for free text, and wraps around.
 * While text is typed every key belongs to it, but Enter, which takes it, and Escape, which goes back to the list.
 */
export interface ChoiceList {
  readonly question: Question;
  readonly cursor: number;
  /** Options that are ticked, where several may be. */
  readonly ticked: ReadonlySet<number>;
  readonly text: TextField;
  readonly isTyping: boolean;
}

/** What a key came to. */
export type Pressed =
  | { readonly kind: 'list'; readonly list: ChoiceList }
  | { readonly kind: 'answer'; readonly list: ChoiceList; readonly answer: string[] }
  | { readonly kind: 'back' }
  | { readonly kind: 'leave' };

export function openList(question: Question): ChoiceList {
  const isTyping = question.options.length === 0;
  return { question, cursor: 0, ticked: new Set(), text: emptyField, isTyping };
}

export function pressed(list: ChoiceList, key: Key): Pressed {
  if (key.kind === 'interrupt') return { kind: 'leave' };
  return list.isTyping ? whileTyping(list, key) : whileChoosing(list, key);
}

function whileTyping(list: ChoiceList, key: Key): Pressed {
  const hasList = list.question.options.length > 0;
  switch (key.kind) {
    case 'escape':
      return hasList ? shown({ ...list, isTyping: false }) : { kind: 'leave' };
    case 'back_tab':
      return hasList ? shown({ ...list, isTyping: false }) : { kind: 'back' };
    case 'up':
    case 'down':
      return hasList ? whileChoosing({ ...list, isTyping: false }, key) : shown(list);
    case 'enter':
      return fieldText(list.text).trim() === '' ? shown(list) : answered(list);
    default:
      return shown({ ...list, text: typed(list.text, key) });
  }
}

function whileChoosing(list: ChoiceList, key: Key): Pressed {
  const last = list.question.options.length;
  switch (key.kind) {
    case 'up':
      return moved(list, list.cursor === 0 ? last : list.cursor - 1);
    case 'down':
    case 'tab':
      return moved(list, list.cursor === last ? 0 : list.cursor + 1);
    case 'home':
    case 'page_up':
      return moved(list, 0);
    case 'end':
    case 'page_down':
      return moved(list, last);
    case 'left':
    case 'back_tab':
    case 'backspace':
      return { kind: 'back' };
    case 'escape':
      return { kind: 'leave' };
    case 'enter':
      return entered(list);
    case 'paste':
      return shown({ ...list, cursor: last, isTyping: true, text: typed(list.text, key) });
    case 'text':
      return byLetter(list, key.text);
    default:
      return shown(list);
  }
}

function byLetter(list: ChoiceList, letter: string): Pressed {
  const { question, cursor } = list;
  if (letter === 'j') return whileChoosing(list, { kind: 'down' });
  if (letter === 'k') return whileChoosing(list, { kind: 'up' });
  if (letter === ' ') return question.multiSelect ? ticking(list, cursor) : shown(list);
  const place = /^[1-9]$/.test(letter) ? Number(letter) - 1 : -1;
  if (place < 0 || place > question.options.length) return shown(list);
  if (place === question.options.length) return shown({ ...list, cursor: place, isTyping: true });
  return question.multiSelect
    ? ticking({ ...list, cursor: place }, place)
    : answered({ ...list, cursor: place });
}

function entered(list: ChoiceList): Pressed {
  const { question, cursor, ticked } = list;
  if (cursor === question.options.length) return shown({ ...list, isTyping: true });
  // Where several may be ticked, Enter on an untouched list takes the one under the cursor.
  if (question.multiSelect && ticked.size === 0 && fieldText(list.text) === '')
    return answered({ ...list, ticked: new Set([cursor]) });
  return answered(list);
}

function answered(list: ChoiceList): Pressed {
  const { question, cursor, ticked, text, isTyping } = list;
  const words = fieldText(text).trim();
  const free = words === '' ? [] : [words];
  const labels = (places: readonly number[]) =>
    places.flatMap((place) => question.options[place]?.label ?? []);
  const answer = question.multiSelect
    ? [...labels([...ticked].toSorted((one, other) => one - other)), ...free]
    : isTyping
      ? free
      : labels([cursor]);
  return { kind: 'answer', list, answer };
}

function ticking(list: ChoiceList, place: number): Pressed {
  if (place === list.question.options.length) return shown({ ...list, isTyping: true });
  const ticked = new Set(list.ticked);
  if (!ticked.delete(place)) ticked.add(place);
  return shown({ ...list, ticked });
}

function moved(list: ChoiceList, cursor: number): Pressed {
  return shown({ ...list, cursor });
}

function shown(list: ChoiceList): Pressed {
  return { kind: 'list', list };
}
