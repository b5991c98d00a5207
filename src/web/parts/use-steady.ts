import { useEffect, useState } from 'react';

// A key that was meant for what stood here before arrives within this time.
const steadyMs = 600;

/** Whether the same has been on the screen for a moment; a window that comes back into view begins again. */
export function useSteady(what: string): boolean {
  const [steady, setSteady] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      clearTimeout(timer);
      setSteady(undefined);
      if (document.visibilityState === 'visible') timer = setTimeout(() => setSteady(what), steadyMs);
    };
    begin();
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', begin);
    };
  }, [what]);
  return steady === what;
}
