import type { Key } from './key.js';

/**
 * A terminal does not say whether a key is held: it sends the same key again, first after up to 660 ms (the default of
 * X11, the slowest of the usual ones), then some thirty times a second.
 */
const withinMs = 700;

/** Tells a key that is held, or leant on, from one that is pressed; it remembers over everything that is asked at one terminal. */
export class KeyRepeats {
  #last = '';
  #at = Number.NEGATIVE_INFINITY;

  /** Whether this key counts as the one before, still held. Moving about is what keys are held for, so that never does. */
  isRepeat(key: Key, now: number): boolean {
    const name = key.kind === 'text' ? `text ${key.text.toLowerCase()}` : key.kind;
    const isSame = name === this.#last && now - this.#at < withinMs;
    this.#last = name;
    this.#at = now;
    return isSame && canDecide(key);
  }
}

function canDecide(key: Key): boolean {
  return key.kind === 'text' ? !/^[jk]$/i.test(key.text) : key.kind === 'enter';
}
