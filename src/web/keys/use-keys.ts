import { useEffect, useRef } from 'react';
import type { KeyName } from './key-table.js';
import { hasSingleKeys } from './single-keys.js';

/** What keys do: a key of the table, or two after each other as `g h`. */
export type Keys = Readonly<Partial<Record<KeyName, () => void>>>;

export interface KeyOptions {
  /** Whether a key that is held down acts again and again: for moving in a list, never for deciding. */
  readonly isRepeating?: boolean;
}

const prefixMs = 1500;

/** Listens to keys while a part is shown; what is typed into a field is text, and a dialog has its own keys. */
export function useKeys(keys: Keys, { isRepeating = false }: KeyOptions = {}): void {
  const newest = useRef(keys);
  useEffect(() => {
    newest.current = keys;
  });
  useEffect(() => {
    let prefix = '';
    let prefixAt = 0;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event)) return;
      const pair = event.timeStamp - prefixAt < prefixMs ? `${prefix} ${event.key}` : '';
      const known: Readonly<Partial<Record<string, () => void>>> = newest.current;
      const act = known[pair] ?? known[event.key];
      prefix = event.key;
      prefixAt = event.timeStamp;
      if (!act) return;
      event.preventDefault();
      if (isRepeating || !event.repeat) act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isRepeating]);
}

function isTyping({ target, ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (key.length === 1 && !hasSingleKeys()) return true;
  if (document.querySelector('dialog[open]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])'))
    return true;
  // A button or a link that has the focus is what Enter and Space are for.
  return (key === 'Enter' || key === ' ') && target.matches('button, a, summary, input');
}
