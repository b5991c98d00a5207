import { type TouchEvent, useRef } from 'react';

const farEnough = 60;

/** A finger that goes sideways over a part: to the left for what comes next, to the right for what was before. */
export function useSwipe(acts: { readonly next: () => void; readonly previous: () => void }): {
  readonly onTouchStart: (event: TouchEvent) => void;
  readonly onTouchEnd: (event: TouchEvent) => void;
} {
  const begun = useRef<{ readonly x: number; readonly y: number } | null>(null);
  return {
    onTouchStart: ({ touches, target }) => {
      const touch = touches.item(0);
      begun.current =
        touch && touches.length === 1 && !movesItself(target) ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }) => {
      const touch = changedTouches.item(0);
      const from = begun.current;
      begun.current = null;
      if (!touch || !from) return;
      const [right, down] = [touch.clientX - from.x, touch.clientY - from.y];
      if (Math.abs(right) < farEnough || Math.abs(right) < 2 * Math.abs(down)) return;
      if (right < 0) acts.next();
      else acts.previous();
    },
  };
}

/** What is typed into, or scrolls sideways by itself, is not swiped away. */
function movesItself(target: EventTarget): boolean {
  for (let part = target instanceof Element ? target : null; part; part = part.parentElement) {
    if (part.matches('input, textarea, select')) return true;
    if (part.scrollWidth > part.clientWidth && /auto|scroll/.test(getComputedStyle(part).overflowX))
      return true;
  }
  return false;
}
