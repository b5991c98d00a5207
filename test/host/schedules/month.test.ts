// A month of schedules on a virtual clock, with the summer time ending in it. The worker is killed between any two steps, also
// between a commit and its acknowledgement, sleeps, and its clock is set back; a former life of it wakes up and goes on. Each
// time must be decided about exactly once, and each one that started has exactly one dispatch.
import { afterEach, expect, test } from 'vitest';
import { ticksOf } from '../../../src/domain/schedule/timetable.js';
import { DispatchService } from '../../../src/host/dispatches/dispatch-service.js';
import { ScheduleTicks } from '../../../src/host/schedules/schedule-ticks.js';
import type { Store } from '../../../src/store/store.js';
import type { StoredSchedule } from '../../../src/store/stored-schedule.js';
import type { Unit } from '../../../src/store/unit.js';
import type { StorePlace } from '../../contract/store/place.js';
import { done, id, newThread, succeeded } from '../../contract/store/records.js';
import { newSchedule } from '../../contract/store/schedules.js';
import { sqlitePlace } from '../../store/sqlite/place.js';
import { expectEachOnce, randomFrom } from './each-once.js';

const hour = 3_600_000;
const begin = Date.parse('2026-10-10T00:20:00.000Z');
const day = 24 * hour;

class Killed extends Error {}

let place: StorePlace | undefined;
afterEach(async () => await place?.remove());

test.each([
  ['a hundred', 100, 7],
  ['a hundred other', 100, 8],
])('%s kills over a month', { tags: ['full'], timeout: 300_000 }, async (_, kills, seed) => {
  await month({ kills, seed, from: begin, days: 31 });
});

test('twelve kills over the days around the end of summer time', { timeout: 120_000 }, async () => {
  await month({ kills: 12, seed: 1, from: begin + 14 * day, days: 2 });
});

async function month(given: {
  readonly kills: number;
  readonly seed: number;
  readonly from: number;
  readonly days: number;
}): Promise<void> {
  const { kills, seed, from } = given;
  const end = from + given.days * day;
  place = await sqlitePlace();
  const random = randomFrom(seed);
  const world = { now: from, store: await place.open(), killsLeft: kills };
  const schedules = [
    timed(from, 'hourly-skip', '0 * * * *', { overlap: 'skip', jitterSeconds: 600 }),
    timed(from, 'hourly-queue', '30 * * * *', { overlap: 'queue', missed: 'skip' }),
    timed(from, 'nightly-cancel', '30 2 * * *', { overlap: 'cancel' }),
    timed(from, 'half-days', '0 */12 * * *', {}),
  ];
  await done(
    world.store,
    schedules.map((schedule) => ({ do: 'insertSchedule', schedule })),
  );
  const steps = (end - from) / (20 * 60_000);
  let life = newLife(world, random, kills / (steps * 6));
  const former: (typeof life)[] = [];
  while (world.now < end) {
    const luck = random();
    world.now += luck < 0.02 ? Math.floor(random() * 20 * hour) : Math.floor(random() * 40) * 60_000;
    if (luck > 0.98) world.now -= Math.floor(random() * 2 * hour);
    await endSome(world.store, random);
    try {
      await life.look();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    if (!life.isDead()) continue;
    former.push(life);
    await world.store.close();
    world.store = await place.open();
    life = newLife(world, random, kills / (steps * 6));
    // It was asleep, and wakes up in a world that has gone on.
    const old = former[Math.floor(random() * former.length)];
    await old?.wake();
  }
  world.killsLeft = 0;
  for (let left = 0; left < 3; left += 1) {
    await endSome(world.store, () => 0);
    await life.look();
  }

  expect(former.length).toBeGreaterThan(kills / 3);
  for (const schedule of schedules) await expectEachOnce(world.store, schedule, schedule.nextAt ?? '');
  await world.store.close();
}

function timed(from: number, name: string, cron: string, given: Partial<StoredSchedule>): StoredSchedule {
  const timeZone = 'Europe/Berlin';
  const next = new Date(ticksOf({ cron, timeZone }).after(from) ?? 0).toISOString();
  const decidedAt = new Date(from).toISOString();
  return newSchedule({ name, cron, timeZone, nextAt: next, dueAt: next, decidedAt, ...given });
}

/** One life of the worker: it dies at a step by chance; what it does afterwards is in the name of that life. */
function newLife(
  world: { now: number; store: Store; killsLeft: number },
  random: () => number,
  chance: number,
) {
  const worker = world.store.worker;
  let isDead = false;
  let canDie = true;
  const step = () => {
    if (!canDie || world.killsLeft === 0 || random() > chance * 4) return;
    world.killsLeft -= 1;
    isDead = true;
    throw new Killed();
  };
  const commit = async (unit: Unit) => {
    step();
    const result = await world.store.commit({ ...unit, worker });
    step();
    return result;
  };
  const store = {
    commit,
    query: async (...asked: Parameters<Store['query']>) => {
      step();
      return await world.store.query(...asked);
    },
  } as unknown as Store;
  const clock = { now: () => world.now, monotonic: () => world.now };
  const dispatches = new DispatchService({
    store,
    clock,
    newDispatchId: () => id('dispatch'),
    admission: {
      admit: async () => {
        const row = newThread();
        return { isNew: true, id: row.id, row };
      },
    },
    dispatcher: {
      room: 0,
      claiming: async (limit: number, claim: (operation: object) => Promise<unknown>) =>
        await claim({ do: 'claimDispatches', limit, now: '', until: '' }),
      poke: () => {},
    },
  } as never);
  const cancel = async (dispatchId: Parameters<DispatchService['cancel']>[0]) => {
    const outcome = { ...succeeded, result: 'cancelled' } as const;
    await commit({
      operations: [
        {
          do: 'patchDispatch',
          dispatchId,
          patch: { state: 'ended', outcome, endedAt: '2026-10-10T00:00:00.000Z' },
        },
      ],
    });
    return {} as never;
  };
  const ticks = new ScheduleTicks({
    store,
    dispatches: { submitWith: dispatches.submitWith.bind(dispatches), cancel },
    clock,
    newUuid: () => id('command'),
    failpoint: step,
    log: () => {},
  });
  return {
    isDead: () => isDead,
    look: async () => await ticks.look(),
    wake: async () => {
      canDie = false;
      await ticks.look();
    },
  };
}

async function endSome(store: Store, random: () => number): Promise<void> {
  const { rows } = await store.query('dispatches', { state: 'queued', limit: 100 });
  for (const { id: dispatchId } of rows)
    if (random() < 0.5)
      await done(store, [
        {
          do: 'patchDispatch',
          dispatchId,
          patch: { state: 'ended', outcome: succeeded, endedAt: '2026-10-10T00:00:00.000Z' },
        },
      ]);
}
