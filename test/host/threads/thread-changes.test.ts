import { expect, test } from 'vitest';
import type { ThreadChange } from '../../../src/host/threads/thread-changes.js';
import { ThreadChanges } from '../../../src/host/threads/thread-changes.js';
import type { ThreadState } from '../../../src/host/threads/thread-state.js';
import type { Operation } from '../../../src/store/operation.js';
import { aRun, aThread, at, id as newId } from '../../contract/store/records.js';
import { sqlitePlace } from '../../store/sqlite/place.js';

const clock = { now: Date.now, monotonic: () => performance.now() };

test('whoever waits for a state gets that state, also when the thread has moved on since', async () => {
  const place = await sqlitePlace();
  const store = await place.open();
  try {
    const { id } = await aThread(store);
    const changes = new ThreadChanges(store, clock);
    const first = changes.until(id, ({ thread }) => thread.lastSeq === 1, new AbortController().signal);
    const notice = { type: 'notice', message: 'Something happened.' } as const;
    await Promise.all([changes.append(id, [notice]), changes.append(id, [notice])]);
    expect((await changes.state(id)).thread.lastSeq).toBe(2);
    expect((await first).thread.lastSeq).toBe(1);
  } finally {
    await store.close();
    await place.remove();
  }
});

const notice = { type: 'notice', message: 'It follows.' } as const;

/** One event of a run is recorded, and these operations follow from it; what is stored and told then. */
async function followed(operations: readonly Operation[]) {
  const place = await sqlitePlace();
  const store = await place.open();
  try {
    const { id } = await aThread(store);
    const run = await aRun(store, id);
    const changes = new ThreadChanges(store, clock);
    const told: string[][] = [];
    let isCommitted = false;
    changes.listen(({ events }) => told.push(events.map(({ type }) => type)));
    changes.accompany((state) => ({
      operations,
      events: [notice],
      state,
      committed: () => {
        isCommitted = true;
      },
    }));
    const event = { type: 'agent_stop', timestamp: at(1), runSeq: 1, json: '{"type":"agent_stop"}' };
    const runEvents = { runId: run.id, after: 0, events: [event] };
    const change = (state: ThreadState): ThreadChange => ({
      operations: [],
      runEvents,
      state,
      result: undefined,
    });
    await changes.commit(id, change);
    const stored = (await store.query('events', { threadId: id, after: 0 })).map(({ type }) => type);
    return { stored, told, isCommitted };
  } finally {
    await store.close();
    await place.remove();
  }
}

test('what follows from the events of a run is committed and told with them', async () => {
  const both = ['agent_stop', 'notice'];
  expect(await followed([])).toEqual({ stored: both, told: [both], isCommitted: true });
});

test('the events of a run are recorded alone where what follows from them is refused', async () => {
  const unknown = { do: 'patchDispatch', dispatchId: newId('dispatch'), patch: { why: 'w' } } as const;
  expect(await followed([unknown])).toEqual({
    stored: ['agent_stop'],
    told: [['agent_stop']],
    isCommitted: false,
  });
});

test('the state of a thread without a run is read once while somebody holds it, and again afterwards', async () => {
  const place = await sqlitePlace();
  const store = await place.open();
  try {
    const { id } = await aThread(store);
    const asked: string[] = [];
    const query: typeof store.query = async (ask, options) => {
      asked.push(ask);
      return await store.query(ask, options);
    };
    const changes = new ThreadChanges(
      new Proxy(store, { get: (of, name) => (name === 'query' ? query : bound(of, name)) }),
      clock,
    );
    const reads = () => asked.filter((ask) => ask === 'thread').length;
    const first = changes.hold(id);
    const second = changes.hold(id);
    await changes.state(id);
    await changes.append(id, [notice]);
    first[Symbol.dispose]();
    expect((await changes.state(id)).thread.lastSeq).toBe(1);
    expect(reads()).toBe(1);
    second[Symbol.dispose]();
    expect((await changes.state(id)).thread.lastSeq).toBe(1);
    await changes.state(id);
    expect(reads()).toBe(3);
  } finally {
    await store.close();
    await place.remove();
  }
});

function bound(of: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(of, name, of);
  return typeof value === 'function' ? value.bind(of) : value;
}
