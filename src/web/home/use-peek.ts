import { type RefObject, useEffect, useRef, useState } from 'react';
import type { PromptId, ThreadId } from '../../protocol/id.js';

/** What is being answered in the list: it stays what it is when its thread asks something else meanwhile. */
export interface Peeked {
  readonly threadId: ThreadId;
  readonly promptId: PromptId;
}

// Until it has been measured.
const usualHeight = 160;

/** The row that is opened to be answered in the list, and how high what stands below it is. */
export function usePeek(): {
  readonly peeked: Peeked | undefined;
  readonly height: number;
  readonly below: RefObject<HTMLDivElement | null>;
  readonly show: (peeked: Peeked | undefined) => void;
} {
  const [peeked, show] = useState<Peeked>();
  const [height, setHeight] = useState(usualHeight);
  const below = useRef<HTMLDivElement>(null);
  // The list draws rows that come into sight, so that there is another element after it was scrolled there and back.
  useEffect(() => {
    if (!below.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { blockSize = 0 } = entry?.borderBoxSize[0] ?? {};
      if (blockSize > 0) setHeight(Math.ceil(blockSize));
    });
    observer.observe(below.current);
    return () => observer.disconnect();
  });
  return { peeked, height, below, show };
}
