import { expect, it } from 'vitest';
import { goneAfter, isGone, type Sight, seen } from '../../../src/domain/worker/absence.js';

const first: Sight = { sign: '3 noon', since: 1000 };

it.each([
  ['a worker that is seen first', undefined, '3 noon', { sign: '3 noon', since: 5000 }],
  ['no sign of life since', first, '3 noon', first],
  ['a heartbeat', first, '3 later', { sign: '3 later', since: 5000 }],
  // A clock that is set back, or a failover that lost the last heartbeats.
  ['an older heartbeat', first, '3 morning', { sign: '3 morning', since: 5000 }],
  ['a restart', first, '4 noon', { sign: '4 noon', since: 5000 }],
] as const)('%s', (_what, before, sign, after) => {
  expect(seen(before, { sign, now: 5000 })).toEqual(after);
});

const goneAfterMs = goneAfter({ leaseMs: 30_000, deadlineMs: 120_000, marginMs: 30_000 });

it.each([
  ['just seen', 1000, goneAfterMs, false],
  ['the lease is over', 31_000, goneAfterMs, false],
  ['agents have reached their deadline', 151_000, goneAfterMs, false],
  ['a moment too early', 180_999, goneAfterMs, false],
  ['lease, deadline and margin are over', 181_000, goneAfterMs, true],
  ['something of it may run on for ever', 10_000_000, undefined, false],
] as const)('%s: gone is said only when nothing can run there any more', (_what, now, after, gone) => {
  expect(isGone(first, { goneAfterMs: after, now })).toBe(gone);
});
