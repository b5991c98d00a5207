import type { ReactNode } from 'react';
import { duration } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { type Span, totalsOf } from './status-span.js';

const width = 1000;

/** Statuses over time as a picture; its name says the same in words. */
export function StatusBar({
  spans,
  from,
  to,
  name,
}: {
  readonly spans: readonly Span[];
  readonly from: number;
  readonly to: number;
  readonly name: string;
}): ReactNode {
  const scale = width / (to - from);
  const words = totalsOf(spans).map(({ mark, ms }) => `${mark.word} ${duration(ms)}`);
  return (
    <svg
      className="status-bar"
      viewBox={`0 0 ${width} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}: ${words.join(', ')}`}
    >
      {spans
        .filter((span) => span.to > from)
        .map((span) => {
          const start = Math.max(span.from, from);
          return (
            <rect
              key={span.from}
              className={`fill-${span.mark.tone}`}
              x={(start - from) * scale}
              // A moment is seen too.
              width={Math.max(1, (span.to - start) * scale)}
              height={10}
            >
              <title>{`${span.mark.word} for ${duration(span.to - start)}: ${plainLine(span.why)}`}</title>
            </rect>
          );
        })}
    </svg>
  );
}
