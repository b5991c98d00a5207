import { useSyncExternalStore } from 'react';

const key = 'handraise-single-keys';
const changed = 'handraise-single-keys';
const off = 'off';

/** Whether letters, digits and signs do something without Ctrl or ⌘; a browser that keeps nothing has them on. */
export function hasSingleKeys(): boolean {
  return document.documentElement.dataset['singleKeys'] !== off;
}

/** As this browser was told before. */
export function applySingleKeys(): void {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(key);
  } catch {
    // Nothing is kept, so they are on.
  }
  show(kept !== off);
}

/** Switches them on or off, now and for the next time. */
export function keepSingleKeys(isOn: boolean): void {
  show(isOn);
  try {
    localStorage.setItem(key, isOn ? 'on' : off);
  } catch {
    // For as long as the page is open, then.
  }
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore((listener) => {
    addEventListener(changed, listener);
    return () => removeEventListener(changed, listener);
  }, hasSingleKeys);
}

function show(isOn: boolean): void {
  document.documentElement.dataset['singleKeys'] = isOn ? 'on' : off;
  dispatchEvent(new Event(changed));
}
