// A month in which schedules, usage limits and budgets work together, on a virtual clock. The worker is a process that is killed at
// any commit and any failpoint; the agents work in runners of their own and go on meanwhile. Their ledger, which only they write,
// says what was really done, and is compared with what the store says.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { ticksOf } from '../../../src/domain/schedule/timetable.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../../src/store/store.js';
import type { StoredDispatch } from '../../../src/store/stored-dispatch.js';
import type { StoredSchedule } from '../../../src/store/stored-schedule.js';
import { id } from '../../contract/store/records.js';
import { openStage, type Stage } from '../../harness/stage.js';
import { program } from '../../store/sqlite/place.js';
import { expectEachOnce, randomFrom } from './each-once.js';
import { type MonthNews, MonthWorker } from './month/month-worker.js';
import { writeWorld } from './month/world.js';

const hour = 3_600_000;
const day = 24 * hour;
const tokens = 3000;
const slots = 2;
const dailyBudget = { tokens: 24_000 };
const agent = fileURLToPath(new URL('./month', import.meta.url));

// The whole month takes minutes of processor time: MONTH_DAYS=31 plays it. Twelve days have all of it, the end of summer time too.
const days = Number(process.env['MONTH_DAYS'] ?? 12);

test('days of schedules, limits and budgets, with three kills a day', {
  tags: ['full'],
  timeout: 3_600_000,
}, async () => {
  const counts = await month({ seed: 19, from: '2026-10-16T00:20:00.000Z', days, kills: 3 * days });
  expect(counts.kills).toBeGreaterThan(days);
  expect(counts.limits).toBeGreaterThan(0);
  expect(counts.deferred).toBeGreaterThan(0);
  expect(counts.raised).toBeGreaterThan(0);
  expect(counts.stopped).toBeGreaterThan(0);
});

interface LedgerTurn {
  readonly thread: string;
  readonly did: 'worked' | 'failed' | 'limited' | 'interrupted';
  readonly tokens: number;
  readonly now: number;
}

async function month(given: {
  readonly seed: number;
  readonly from: string;
  readonly days: number;
  readonly kills: number;
}) {
  const stage = await openStage('claude');
  const random = randomFrom(given.seed);
  const story = new Story(stage, random, given);
  onTestFinished(async () => {
    await story.worker?.kill();
    await stage[Symbol.asyncDispose]();
  });
  await story.tell();
  const ledger = story.ledger();
  const store = await SqliteStore.open({
    file: join(story.home, 'store.db'),
    worker: { id: id('worker'), name: 'reader', startedAt: given.from },
    program,
  });
  onTestFinished(async () => await store.close());
  const counts = { ...story.counts, ...(await compare(store, ledger, given.from)) };
  process.stdout.write(`${JSON.stringify({ days: given.days, seed: given.seed, ...counts })}\n`);
  return counts;
}

/** What happens to the worker in that month. */
class Story {
  readonly home: string;
  readonly counts = { kills: 0, limits: 0, answers: 0 };
  /** What was decided about a budget, by prompt; repeated where a kill came between an answer and its receipt. */
  readonly decisions = new Map<string, string>();
  worker: MonthWorker | undefined;
  readonly #stage: Stage;
  readonly #random: () => number;
  readonly #world: string;
  readonly #ledger: string;
  readonly #killChance: number;
  readonly #end: number;
  #now: number;
  #limitedUntil = 0;
  #kills: number;

  constructor(
    stage: Stage,
    random: () => number,
    { from, days, kills }: { readonly from: string; readonly days: number; readonly kills: number },
  ) {
    this.#stage = stage;
    this.#random = random;
    this.home = join(stage.home, 'state');
    this.#world = join(stage.home, 'world.json');
    this.#ledger = join(stage.home, 'ledger');
    this.#now = Date.parse(from);
    this.#end = this.#now + days * day;
    this.#kills = kills;
    // Some are by chance between two steps, and most by the worker itself at a moment that it passes.
    this.#killChance = (kills / 4) * (1.5 / (days * 24));
  }

  async tell(): Promise<void> {
    this.#move(0);
    let worker = await this.#begin(this.#schedules());
    while (this.#now < this.#end) {
      const luck = this.#random();
      this.#move(luck < 0.01 ? this.#random() * 20 * hour : this.#random() * 3 * hour);
      if (luck > 0.99) this.#move(-this.#random() * hour);
      if (this.#now >= this.#limitedUntil && this.#random() < 0.03) this.#limit();
      if (this.#kills > 0 && this.#random() < this.#killChance) await worker.kill();
      // Most steps wait until there is nothing to do; the others go on in the middle of it.
      const news = await this.#follow(worker, { isPatient: this.#random() < 0.8 });
      if (news) await worker.ask(this.#answers(news, 0.3));
      if (worker.isGone) worker = await this.#again(worker);
    }
    this.#kills = 0;
    await worker.kill();
    worker = await this.#begin();
    for (let step = 0; step < 2000; step += 1) {
      const news = await this.#follow(worker, { isPatient: true });
      if (!news) throw new Error(`the last worker ended: ${worker.stderr}`);
      if (news.open === 0 && !news.isBusy && !news.hasWaitingTime) break;
      await worker.ask(this.#answers(news, 1));
      this.#move(0.1 * hour);
    }
    await worker.leave();
  }

  ledger(): LedgerTurn[] {
    const lines = readFileSync(this.#ledger, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as LedgerTurn);
  }

  #schedules() {
    const make = (name: string, when: string, more: object, failing: number) => {
      const path = join(this.#stage.home, name);
      mkdirSync(path);
      return {
        name,
        when,
        timeZone: 'Europe/Berlin',
        unanswered: 'wait',
        ...more,
        work: {
          text: JSON.stringify({ failing, tokens }),
          runtime: 'npm:month',
          permissions: 'autonomous',
          workspace: { path },
          onFailure: 'end',
          // Reached by work that fails twice.
          budget: { tokens: 5000 },
        },
      };
    };
    return [
      make('nightly', 'every day 2:30', { overlap: 'cancel' }, 2),
      make('often', 'every 6 hours', { overlap: 'queue', budget: { tokens: 60_000 } }, 2),
      make('weekdays', 'every weekday 7:00', { overlap: 'skip', jitterSeconds: 900 }, 1),
    ];
  }

  #move(byMs: number): void {
    this.#now += Math.floor(byMs);
    writeWorld(this.#world, { now: this.#now, limitedUntil: this.#limitedUntil });
  }

  #limit(): void {
    this.counts.limits += 1;
    this.#limitedUntil = this.#now + Math.floor((1 + this.#random() * 20) * hour);
    this.#move(0);
  }

  async #begin(schedules?: readonly object[]): Promise<MonthWorker> {
    const isLast = this.#kills === 0;
    const worker = new MonthWorker({
      home: this.home,
      world: this.#world,
      env: { ...this.#stage.env, MONTH_WORLD: this.#world, MONTH_LEDGER: this.#ledger },
      settings: {
        slots,
        retries: 3,
        idleTimeoutMinutes: 0.01,
        keepSpare: false,
        dailyBudget,
        runtimes: { month: agent },
      },
      killAfter: isLast || schedules ? -1 : 1 + Math.floor(this.#random() * 250),
      schedules,
    });
    this.worker = worker;
    await worker.ready();
    return worker;
  }

  async #again(former: MonthWorker): Promise<MonthWorker> {
    let worker = former;
    while (worker.isGone) {
      if (!worker.wasKilled) throw new Error(`a worker ended by itself: ${worker.stderr}`);
      this.counts.kills += 1;
      this.#kills = Math.max(0, this.#kills - 1);
      worker = await this.#begin();
    }
    return worker;
  }

  /** The newest news; a patient one waits until nothing runs and nothing is due, but for ever it does not: the month goes on. */
  async #follow(worker: MonthWorker, { isPatient }: { readonly isPatient: boolean }) {
    let news: MonthNews | null = null;
    for (let look = 0; look < 400; look += 1) {
      news = await worker.ask();
      if (!news || !news.isBusy || !isPatient) return news;
      await sleep(15);
    }
    return news;
  }

  #answers({ prompts }: MonthNews, chance: number): Record<string, string> {
    for (const { id: prompt } of prompts) {
      if (this.decisions.has(prompt) || this.#random() > chance) continue;
      const luck = this.#random();
      const say = luck < 0.5 ? `${2 * tokens} tokens` : luck < 0.75 ? 'Stop' : 'Finish up';
      this.decisions.set(prompt, say);
      this.counts.answers += 1;
    }
    return Object.fromEntries(
      prompts.flatMap(({ id: prompt }) => {
        const said = this.decisions.get(prompt);
        return said === undefined ? [] : [[prompt, said]];
      }),
    );
  }
}

/** What the store says against what the agents did. */
async function compare(store: Store, ledger: readonly LedgerTurn[], from: string) {
  const { rows: schedules } = await store.query('schedules', { limit: 10 });
  expect(schedules).toHaveLength(3);
  const counts = {
    ticks: 0,
    started: 0,
    deferred: 0,
    lost: 0,
    doubled: 0,
    raised: 0,
    stopped: 0,
    cancelled: 0,
    turns: ledger.filter((turn) => turn.tokens > 0).length,
    mostTurnsBeyondABudget: 0,
  };
  const all: StoredDispatch[] = [];
  for (const schedule of schedules) {
    const first = ticksOf(schedule).after(Date.parse(from));
    const decided = await expectEachOnce(store, schedule, new Date(first ?? 0).toISOString());
    counts.ticks += decided.ticks;
    counts.started += decided.started;
    for (const dispatch of decided.dispatches) await judge(store, dispatch, { ledger, counts });
    all.push(...decided.dispatches);
    expectScheduleBudget(schedule, decided.dispatches, ledger);
  }
  expect(counts).toMatchObject({ lost: 0, doubled: 0 });
  await expectDailyBudget(store, all, ledger);
  return counts;
}

interface Counts {
  deferred: number;
  lost: number;
  doubled: number;
  raised: number;
  stopped: number;
  cancelled: number;
  mostTurnsBeyondABudget: number;
}

/** One piece of work: its end is what really happened, and its budget held. */
async function judge(
  store: Store,
  dispatch: StoredDispatch,
  { ledger, counts }: { readonly ledger: readonly LedgerTurn[]; readonly counts: Counts },
): Promise<void> {
  const { threadId, outcome, allowance, attempts, state } = dispatch;
  const turns = ledger.filter(({ thread }) => thread === threadId);
  const worked = turns.filter(({ did }) => did === 'worked').length;
  const limited = turns.filter(({ did }) => did === 'limited').length;
  const told = JSON.stringify({ dispatch, turns });
  const isStopped = outcome?.result === 'blocked' && outcome.reason === 'budget';
  if (limited > 0) counts.deferred += 1;
  if (isStopped) counts.stopped += 1;
  if (outcome?.result === 'cancelled') counts.cancelled += 1;
  if (allowance?.raised.work ?? allowance?.raised.day) counts.raised += 1;
  if (worked > 1) counts.doubled += 1;
  const isRight =
    outcome?.result === 'succeeded'
      ? worked === 1
      : isStopped
        ? worked === 0
        : // The closing turn is the last one, whatever became of it.
          outcome?.result === 'cancelled' || (allowance?.isClosing === true && worked === 0);
  if (state !== 'ended' || !isRight) counts.lost += 1;
  expect({ worked, isRight, state }, told).toEqual({
    worked: Math.min(worked, 1),
    isRight: true,
    state: 'ended',
  });
  if (outcome?.result !== 'cancelled') {
    // Each limit that an agent met is a try of its own that counts nowhere, and the work went on after it.
    const deferrals = attempts.filter((each) => each.outcome?.reason === 'rate_limit');
    expect(deferrals, told).toHaveLength(limited);
    expect(attempts.at(-1)?.outcome?.reason, told).not.toBe('rate_limit');
  }
  const spent = sum(turns);
  const thread = await store.query('thread', { id: threadId });
  expect(thread?.usage.inputTokens, told).toBe(spent);
  const allowed = 5000 + (allowance?.raised.work?.tokens ?? 0);
  const beyond = Math.max(0, Math.ceil((spent - allowed) / tokens)) - (allowance?.isClosing ? 1 : 0);
  counts.mostTurnsBeyondABudget = Math.max(counts.mostTurnsBeyondABudget, beyond);
  expect(beyond, told).toBeLessThanOrEqual(1);
}

/** All times of a schedule together; a closing turn is one that a person asked for. */
function expectScheduleBudget(
  { name, budget, spent }: StoredSchedule,
  dispatches: readonly StoredDispatch[],
  ledger: readonly LedgerTurn[],
): void {
  const threads = new Set<string>(dispatches.map(({ threadId }) => threadId));
  const used = sum(ledger.filter(({ thread }) => threads.has(thread)));
  expect(spent?.tokens ?? 0, name).toBe(used);
  const closings = dispatches.filter(({ allowance }) => allowance?.isClosing).length;
  if (budget?.tokens !== undefined)
    expect(used, name).toBeLessThanOrEqual(budget.tokens + (1 + closings) * tokens);
}

/** A day is looked at before each turn, so each agent at work can exceed it by one. */
async function expectDailyBudget(
  store: Store,
  dispatches: readonly StoredDispatch[],
  ledger: readonly LedgerTurn[],
): Promise<void> {
  const days = await store.query('usage', { by: 'day' });
  expect(days.reduce((total, { usage }) => total + usage.inputTokens, 0)).toBe(sum(ledger));
  const raises = dispatches.map(({ allowance }) => allowance?.raised.day?.tokens ?? 0);
  const closings = new Set(
    dispatches.filter(({ allowance }) => allowance?.isClosing).map(({ threadId }) => String(threadId)),
  );
  for (const { key, usage } of days) {
    const closed = ledger.filter(
      ({ thread, now }) => closings.has(thread) && Math.abs(now - Date.parse(`${key}T12:00:00Z`)) < day,
    );
    const bound = dailyBudget.tokens + Math.max(...raises) + slots * tokens + sum(closed);
    expect(usage.inputTokens, key).toBeLessThanOrEqual(bound);
  }
}

function sum(turns: readonly LedgerTurn[]): number {
  return turns.reduce((total, turn) => total + turn.tokens, 0);
}
