import { EventEmitter, once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DispatchExecutions } from '../../../src/host/dispatches/dispatch-executions.js';
import { Dispatcher, type DispatcherParts } from '../../../src/host/dispatches/dispatcher.js';
import type { StoredDispatch } from '../../../src/store/stored-dispatch.js';
import type { CommitResult } from '../../../src/store/unit.js';
import { at, id, newDispatch } from '../../contract/store/records.js';
import { waitUntil } from '../../harness/wait-until.js';

const claimed: StoredDispatch = { ...newDispatch(id('thread'), { state: 'running' }), attempts: [] };
const nothing = async () => {};
const tick = async () => await vi.advanceTimersByTimeAsync(1000);
const lease = { workerId: id('worker'), epoch: 2, until: at(60) };

test('work is taken up as it is once its lease is held, and not as it was read before', async () => {
  const begun = {
    ...claimed,
    attempts: [{ attempt: 1, startedAt: at(1), runIds: [id('run')], activeMs: 0 }],
  };
  const { dispatcher, executions } = dispatcherOn(begun, { committed: true, results: [lease] });
  expect(await dispatcher.takeUp(claimed)).toBe(true);
  expect(executions.all.map(({ dispatch }) => dispatch)).toEqual([{ ...begun, lease }]);
});

test.each([
  ['has ended meanwhile', { ...claimed, state: 'ended' }, true],
  ['waits for another try', { ...claimed, state: 'queued' }, true],
  ['somebody else has', claimed, false],
] as const)('nothing is done for work that %s', async (_what, now, isSettled) => {
  const refusal = { because: 'condition', operation: 0, current: { dispatch: now } } as const;
  const { dispatcher, executions } = dispatcherOn(now, { committed: false, refusal });
  expect([await dispatcher.takeUp(claimed), executions.all]).toEqual([isSettled, []]);
});

test('work that is let go again while its worker comes back is taken up after that', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const deadline = { isPast: false };
  const waits = new EventEmitter();
  let pages = 0;
  const query = async (name: string, input: { readonly state?: string }) => {
    if (name === 'dispatch') return claimed;
    if (input.state === 'running') return { rows: deadline.isPast || pages === 0 ? [] : [claimed] };
    // The list of what waits comes late, once it was cut off before.
    if (input.state === 'waiting' && (pages += 1) === 2) await once(waits, 'come');
    return { rows: [] };
  };
  const { dispatcher, executions } = dispatcherOn(
    claimed,
    { committed: true, results: [lease] },
    { query, deadline },
  );
  await dispatcher.open();

  deadline.isPast = true;
  await tick();
  deadline.isPast = false;
  await tick();
  await waitUntil(
    'it has taken up its work, and asks what waits',
    () => executions.all.length === 1 && pages === 2,
  );
  deadline.isPast = true;
  await tick();
  expect(executions.all).toEqual([]);
  deadline.isPast = false;
  waits.emit('come');
  await waitUntil('its work is taken up again', async () => {
    await tick();
    return executions.all.length === 1;
  });
});

test('work that a fault has left alone is taken up, once nobody has gone on with it for two looks', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let isThere = false;
  let looks = 0;
  const query = async (name: string, { state }: { readonly state?: string }) => {
    if (name === 'dispatch') return claimed;
    if (state === 'running') return { rows: isThere ? [claimed] : [] };
    if (state === 'waiting') looks += 1;
    return { rows: [] };
  };
  const { dispatcher, executions } = dispatcherOn(
    claimed,
    { committed: true, results: [lease] },
    { query, leaseMs: 0 },
  );
  await dispatcher.open();
  isThere = true;

  const before = looks;
  await tick();
  await waitUntil('it has looked once', () => looks === before + 1);
  expect(executions.all).toEqual([]);
  await waitUntil('it takes the work up', async () => {
    await tick();
    return executions.all.length === 1;
  });
  const [execution] = executions.all;
  await tick();
  expect(executions.all).toEqual([execution]);
});

/** One whose store has this work and answers so to whoever wants its lease; what is executed waits for its thread. */
function dispatcherOn(
  now: StoredDispatch,
  answer: CommitResult,
  given: {
    readonly query?: object;
    readonly deadline?: { readonly isPast: boolean };
    readonly leaseMs?: number;
  } = {},
) {
  const { query = async () => now, deadline = { isPast: false }, leaseMs = 60_000 } = given;
  const executions = new DispatchExecutions();
  const waiting = new Promise<never>(() => {});
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const changes = {
    hold: () => ({ [Symbol.dispose]: () => {} }),
    state: async () => await waiting,
    listen: () => ({ [Symbol.dispose]: () => {} }),
    accompany: () => {},
  };
  const parts = {
    store: { commit: async () => answer, query },
    executions,
    execution: { clock, changes, supervisor: { runs: [] }, log: () => {} },
    leases: { renewDue: nothing, isDraining: false },
    deadline,
    idleAgents: { note: () => {}, endIdleFor: nothing, makeRoom: nothing },
    parking: { parkDue: nothing },
    contention: { makeWay: nothing },
    settings: { slots: 1, maxAgents: 1, idleTimeoutMs: 1000, absence: { leaseMs } },
  };
  const dispatcher = new Dispatcher(parts as unknown as DispatcherParts);
  onTestFinished(() => {
    for (const { dispatch } of executions.all) executions.abandon(dispatch.id);
  });
  return { dispatcher, executions };
}
