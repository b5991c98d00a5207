import { useSyncExternalStore } from 'react';

/** Widths at which the console is laid out anew. */
const queries = {
  /** Threads, timeline and details stand beside each other. */
  wide: matchMedia('(min-width: 1181px)'),
  /** Two columns of code have room beside both. */
  widest: matchMedia('(min-width: 1680px)'),
  /** Two columns of code have no room; a page at 200 % has as little as a phone. */
  narrow: matchMedia('(max-width: 860px)'),
} as const;

/** Whether the window has such a width now. */
export function useMedia(name: keyof typeof queries): boolean {
  const query = queries[name];
  return useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => query.matches,
  );
}
