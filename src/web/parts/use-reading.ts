import { useCallback, useMemo, useRef, useState } from 'react';
import { SeenLines } from '../../domain/prompts/seen-lines.js';

/** How much of what is to be approved has been on the screen. */
export interface Reading {
  readonly total: number;
  readonly unseen: number;
  readonly see: (lines: readonly number[]) => void;
  /** Brings the first lines onto the screen that have not been there. */
  readonly showNext: () => void;
  /** What shows the lines says how one is brought onto the screen. */
  readonly onShow: (show: (line: number) => void) => void;
}

/** Follows the reading of so many lines, from the start for every new text. */
export function useReading(text: unknown, count: number): Reading {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text of the same length is unread too
  const lines = useMemo(() => new SeenLines(count), [text, count]);
  const [, setRound] = useState(0);
  const show = useRef<(line: number) => void>(() => {});
  const see = useCallback(
    (each: readonly number[]) => {
      const isNews = each.filter((line) => lines.see(line)).length > 0;
      if (isNews) setRound((round) => round + 1);
    },
    [lines],
  );
  const onShow = useCallback((next: (line: number) => void) => {
    show.current = next;
  }, []);
  return {
    total: lines.total,
    unseen: lines.unseen,
    see,
    showNext: () => lines.next !== undefined && show.current(lines.next),
    onShow,
  };
}
