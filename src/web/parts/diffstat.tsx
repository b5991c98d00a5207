import type { ReactNode } from 'react';

/** How many lines came and went, as `+9 −2`; nothing where none did. */
export function Diffstat({
  added,
  removed,
}: {
  readonly added: number | null;
  readonly removed: number | null;
}): ReactNode {
  if (added === null || removed === null) return null;
  return (
    <span className="diffstat">
      <span className="diffstat-added">
        +{added}
        <span className="unseen"> lines added</span>
      </span>{' '}
      <span className="diffstat-removed">
        −{removed}
        <span className="unseen"> lines removed</span>
      </span>
    </span>
  );
}
