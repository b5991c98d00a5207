import { useSyncExternalStore } from 'react';

// Two columns of code need room; a page at 200 % has as little as a phone.
const narrow = matchMedia('(max-width: 860px)');

/** Whether the window is too narrow for two columns. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      narrow.addEventListener('change', changed);
      return () => narrow.removeEventListener('change', changed);
    },
    () => narrow.matches,
  );
}
