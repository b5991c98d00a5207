import { expect, it } from 'vitest';
import { placeAnywhere, placeWork, type WorkerCandidate } from '../../../src/domain/worker/placement.js';

function worker(name: string, more: Partial<WorkerCandidate> = {}): WorkerCandidate {
  return {
    id: `wrk_${name}`,
    name,
    labels: ['gpu'],
    slots: 4,
    underWay: 0,
    isDraining: false,
    isSilent: false,
    isSelf: false,
    ...more,
  };
}

it.each<[string, string, WorkerCandidate[], ReturnType<typeof placeWork>]>([
  ['a name is that worker', 'b', [worker('a'), worker('b')], { to: 'wrk_b' }],
  ['an id too', 'wrk_b', [worker('a'), worker('b')], { to: 'wrk_b' }],
  ['a name goes before a label', 'gpu', [worker('a'), worker('gpu', { labels: [] })], { to: 'wrk_gpu' }],
  ['a named worker is waited for', 'a', [worker('a', { isSilent: true, underWay: 9 })], { to: 'wrk_a' }],
  [
    'one that drains takes nothing',
    'a',
    [worker('a', { isDraining: true })],
    { refused: 'draining', name: 'a' },
  ],
  ['of a label, the most free slots', 'gpu', [worker('a', { underWay: 3 }), worker('b')], { to: 'wrk_b' }],
  ['of equals, the one that was asked', 'gpu', [worker('a'), worker('b', { isSelf: true })], { to: 'wrk_b' }],
  ['of equals, by name', 'gpu', [worker('b'), worker('a')], { to: 'wrk_a' }],
  [
    'silent ones are passed over',
    'gpu',
    [worker('a', { isSilent: true }), worker('b', { underWay: 9 })],
    { to: 'wrk_b' },
  ],
  ['all are silent', 'gpu', [worker('a', { isSilent: true })], { refused: 'silent' }],
  ['all drain', 'gpu', [worker('a', { isDraining: true })], { refused: 'draining' }],
  ['nobody has it', 'arm', [worker('a')], { refused: 'unknown' }],
])('%s', (_what, on, candidates, placement) => {
  expect(placeWork(on, candidates)).toEqual(placement);
});

it.each<[string, (Partial<WorkerCandidate> & { readonly canRun?: boolean })[], string | undefined]>([
  ['this one while it has room', [{ name: 'a', isSelf: true, underWay: 3 }, { name: 'b' }], 'wrk_a'],
  ['another one with room', [{ name: 'a', isSelf: true, underWay: 4 }, { name: 'b' }], 'wrk_b'],
  [
    'this one where nobody has room',
    [
      { name: 'a', isSelf: true, underWay: 4 },
      { name: 'b', underWay: 4 },
    ],
    'wrk_a',
  ],
  [
    'another one while this one drains',
    [
      { name: 'a', isSelf: true, isDraining: true },
      { name: 'b', underWay: 9 },
    ],
    'wrk_b',
  ],
  [
    'nobody without the runtime',
    [
      { name: 'a', isSelf: true, underWay: 4 },
      { name: 'b', canRun: false },
    ],
    'wrk_a',
  ],
  [
    'nobody who is silent',
    [
      { name: 'a', isSelf: true, underWay: 4 },
      { name: 'b', isSilent: true },
    ],
    'wrk_a',
  ],
  ['nobody where all drain', [{ name: 'a', isSelf: true, isDraining: true }], undefined],
])('work that can be done anywhere: %s', (_what, candidates, to) => {
  const all = candidates.map(({ name = '', canRun = true, ...more }) => ({ ...worker(name, more), canRun }));
  expect(placeAnywhere(all)).toBe(to);
});
