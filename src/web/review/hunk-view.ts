import type { Hunk } from '../../protocol/changes.js';
import { type HunkLine, hunkLines, type LinePair, linePairs } from './hunk-lines.js';
import type { HunkView } from './review-rows.js';

/** What is made of a hunk is kept as long as the hunk is: it is drawn again with every comment. */
export function hunkView(): HunkView {
  const kept = new WeakMap<Hunk, { lines: readonly HunkLine[]; pairs?: readonly LinePair[] }>();
  const of = (hunk: Hunk, path: string) => {
    const known = kept.get(hunk) ?? { lines: hunkLines(hunk, path) };
    kept.set(hunk, known);
    return known;
  };
  return {
    lines: (hunk, path) => of(hunk, path).lines,
    pairs: (hunk, path) => {
      const known = of(hunk, path);
      known.pairs ??= linePairs(known.lines);
      return known.pairs;
    },
  };
}
