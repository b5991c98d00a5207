import { useMemo, useState } from 'react';
import type { ThreadId } from '../../protocol/id.js';

/** Threads that a person has ticked. */
export interface Selection {
  readonly ids: ReadonlySet<ThreadId>;
  readonly toggle: (id: ThreadId) => void;
  /** Unticks one, also after others were unticked meanwhile. */
  readonly drop: (id: ThreadId) => void;
  /** Ticks everything that is listed. */
  readonly all: () => void;
  readonly clear: () => void;
}

/** A selection of what is there: what goes away is not selected any more. */
export function useSelection(present: ReadonlySet<ThreadId>): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<ThreadId>>(new Set());
  const ids = useMemo(() => new Set([...ticked].filter((id) => present.has(id))), [ticked, present]);
  return {
    ids,
    toggle: (id) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      setTicked(next);
    },
    drop: (id) => setTicked((before) => new Set([...before].filter((each) => each !== id))),
    all: () => setTicked(present),
    clear: () => setTicked(new Set()),
  };
}
