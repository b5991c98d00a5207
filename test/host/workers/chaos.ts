import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { holdsWithin, waitUntil } from '../../harness/wait-until.js';
import { Dice } from '../../storm/dice.js';
import { ChaosDuties } from './chaos-duties.js';
import { ChaosFleet, type FleetMember } from './chaos-fleet.js';
import { keepRecords } from './chaos-records.js';
import { isGivenUp, judge, linesOf, readEvidence, readLost, tokenOf } from './chaos-verdict.js';
import { type ChaosWork, chaosWork } from './chaos-work.js';

export interface ChaosOptions {
  readonly dispatches: number;
  /** How many times something is killed or cut off. */
  readonly blows: number;
  readonly seed: number;
  /** Where the records of work are kept that something was wrong with. */
  readonly records: string;
}

// Longer than lease, deadline and margin of the fleet: the others take over.
const absenceMs = 30_000;

/** Gives work to three workers, answers its questions, and breaks workers, ways and the server meanwhile; tells what became of it. */
export async function chaos({ dispatches, blows, seed, records }: ChaosOptions) {
  const began = Date.now();
  const fleet = await ChaosFleet.start();
  const { database } = fleet;
  const course = new Course(fleet, new Dice(seed + 1));
  const duties = await ChaosDuties.give(fleet, Math.max(1, Math.floor(dispatches / 20)));
  const works = Array.from({ length: dispatches }, (_, index) =>
    chaosWork(index, { root: fleet.shared, now: Date.now() }),
  );
  const over = new AbortController();
  const attending = course.attend(works, over.signal);
  const giving = course.give(works);
  for (const blow of blowsOf(blows, new Dice(seed))) await course.strike(blow);
  await course.mend();
  await giving;
  await course.openGates(works);
  const isOver = await course.allEnded(works.length, duties);
  over.abort();
  await attending;

  const evidence = await readEvidence(database, works, course);
  const judged = evidence.map((each) => ({ ...each, wrong: judge(each) }));
  const ofDuties = await duties.judge();
  const twice = await database.sql(
    "select json::jsonb->>'dispatchId' as id, thread_id, count(*) from events where type = 'dispatch_ended' group by 1, 2 having count(*) > 1",
  );
  const open = await database.sql("select id, thread_id, state, why from dispatches where state <> 'ended'");
  const violations = [
    ...(isOver ? [] : ['not all work has ended']),
    ...judged.flatMap(({ wrong, threads }) => wrong.map((sentence) => `${sentence} (${threads.join(', ')})`)),
    ...ofDuties.violations,
    ...twice.map(
      ({ id, thread_id, count }) => `${String(id)} ended ${String(count)} times (${String(thread_id)})`,
    ),
    ...(isOver
      ? []
      : open.map(
          ({ id, thread_id, state, why }) =>
            `${String(id)} is ${String(state)}: ${String(why)} (${String(thread_id)})`,
        )),
  ];
  if (violations.length > 0)
    await keepRecords(fleet, {
      folder: records,
      threads: [
        ...new Set([
          ...judged.filter(({ wrong }) => wrong.length > 0).flatMap(({ threads }) => threads),
          ...[...twice, ...open].map(({ thread_id }) => String(thread_id)),
        ]),
      ],
      works: works.filter(({ key }) => judged.some((each) => each.key === key && each.wrong.length > 0)),
    });
  const number = (of: (each: (typeof judged)[number]) => boolean) => judged.filter(of).length;
  const answers = judged.flatMap(({ tokens, heard }) =>
    tokens.map((token) => heard.filter((text) => text.includes(token)).length),
  );
  const counts = {
    'pieces of work': works.length,
    'ended exactly once': number(({ ends }) => ends === 1),
    'of these given up with their third lost worker': number(isGivenUp),
    'answers accepted': answers.length,
    'heard exactly once': answers.filter((times) => times === 1).length,
    'told again to the agent of another worker': answers.filter((times) => times > 1).length,
    'pieces of work whose worker was lost': number(({ losses, cutInTry }) => losses + cutInTry > 0),
    'acts outside of a former life after a later one had begun': judged
      .flatMap(({ acts }) => acts)
      .filter(([life, begun]) => life !== begun).length,
    'gates opened while a former life was cut off': course.openedEarly,
    'done again because the result was lost with the worker': number(
      ({ acts, losses, cutInTry }) => losses + cutInTry > 0 && acts.length > 1,
    ),
    'usage limits waited for': judged.reduce((sum, { limits }) => sum + limits, 0),
    ...ofDuties.counts,
    ...course.blows,
    minutes: Math.round((Date.now() - began) / 6000) / 10,
    violations: violations.length,
  };
  return { counts, violations, ground: fleet.ground };
}

/** What is broken, when, and for how long. */
interface Blow {
  readonly pauseMs: number;
  readonly what: 'kill' | 'both ways' | 'answers' | 'server' | 'failover';
  readonly isLong: boolean;
  /** Which of those that are well at that moment. */
  readonly who: number;
  readonly downMs: number;
}

const deck = ['kill', 'both ways', 'answers', 'server', 'failover', 'kill', 'both ways'] as const;

/** All of them at once, so that a seed gives the same ones whatever the machine does meanwhile; each kind comes in every round. */
function blowsOf(count: number, dice: Dice): readonly Blow[] {
  let left: Blow['what'][] = [];
  return Array.from({ length: count }, () => {
    if (left.length === 0) left = [...deck];
    const [what = 'kill'] = left.splice(dice.between(0, left.length - 1), 1);
    return {
      pauseMs: dice.between(500, 3000),
      what,
      isLong: dice.between(0, 1) === 1,
      who: dice.between(0, 5),
      downMs: dice.between(0, 2000),
    };
  });
}

class Course {
  /** The questions whose answer was accepted, as somebody was told. */
  readonly answers: string[] = [];
  /** The gates that are open, with how often each piece had lost an agent before. */
  readonly gates = new Map<string, number>();
  /** How many were opened while the worker of an earlier life was cut off. */
  openedEarly = 0;
  readonly blows = {
    'workers killed': 0,
    'workers cut off, both ways': 0,
    'workers cut off from answers': 0,
    'PostgreSQL killed': 0,
    'failovers to the standby': 0,
  };
  readonly #fleet: ChaosFleet;
  readonly #dice: Dice;
  readonly #returning: Promise<void>[] = [];
  readonly #answering = new Map<string, Promise<void>>();

  constructor(fleet: ChaosFleet, dice: Dice) {
    this.#fleet = fleet;
    this.#dice = dice;
  }

  /** Each piece is given until somebody says that it is taken. */
  async give(works: readonly ChaosWork[]): Promise<void> {
    for (const { key, request } of works) {
      for (;;) {
        const worker = this.#anybody();
        if (worker && (await worker.give(key, request))) break;
        await setTimeout(200);
      }
    }
  }

  /** Answers what is asked, at any worker, and opens the gates of those whose earlier agent is cut off. */
  async attend(works: readonly ChaosWork[], signal: AbortSignal): Promise<void> {
    const { database, members } = this.#fleet;
    while (!signal.aborted) {
      const rows = await database
        .sql("select id from prompts where state = 'pending' and accepted_at is null")
        .catch((): Record<string, unknown>[] => []);
      for (const { id } of rows) this.#answer(String(id));
      const atOnce = works.filter(
        (work) =>
          isClosed(work) &&
          members.some(({ way }) => way.isCut) &&
          linesOf(join(work.folder, 'starts')).length > 1,
      );
      // Where the server is away, they are opened another time.
      if (atOnce.length > 0 && (await this.#open(atOnce).catch(() => false)))
        this.openedEarly += atOnce.length;
      await setTimeout(300, undefined, { signal }).catch(() => {});
    }
    await Promise.all(this.#answering.values());
  }

  async strike({ pauseMs, what, isLong, who, downMs }: Blow): Promise<void> {
    await setTimeout(pauseMs);
    if (what === 'server') return await this.#strikeServer(downMs);
    if (what === 'failover') return await this.#failOver();
    // Somebody is always left who can go on.
    const well = () => this.#fleet.members.filter(({ worker, way }) => worker && !way.isCut);
    await waitUntil('two workers are well', () => well().length > 1);
    const member = well()[who % well().length];
    if (!member) return;
    this.#returning.push(
      what === 'kill' ? this.#kill(member, isLong) : this.#cut(member, { isLong, how: what }),
    );
  }

  /** Nothing is broken any more. */
  async mend(): Promise<void> {
    await Promise.all(this.#returning);
  }

  async openGates(works: readonly ChaosWork[]): Promise<void> {
    await this.#open(works.filter(isClosed));
  }

  /** Whether everything has ended at all. */
  async allEnded(works: number, duties: ChaosDuties): Promise<boolean> {
    const { database } = this.#fleet;
    return await holdsWithin(300_000 + works * 3000, async () => {
      const [row] = await database.sql(
        `select count(*) filter (where state = 'ended' and idempotency_key like 'chaos-%') as ended,
           count(*) filter (where state <> 'ended') as open from dispatches`,
      );
      return Number(row?.['ended']) === works && Number(row?.['open']) === 0 && (await duties.haveEnded());
    });
  }

  /** Not awaited: whoever is cut off takes a minute to say that it cannot. */
  #answer(promptId: string): void {
    if (this.#answering.has(promptId)) return;
    const answering = async () => {
      if (await this.#anybody()?.answer(promptId, `Red, says ${tokenOf(promptId)}.`))
        this.answers.push(promptId);
      this.#answering.delete(promptId);
    };
    this.#answering.set(promptId, answering());
  }

  #anybody() {
    const [first, ...others] = this.#fleet.reachable;
    return first && this.#dice.pick([first, ...others]);
  }

  async #open(works: readonly ChaosWork[]): Promise<boolean> {
    const lost = await readLost(this.#fleet.database);
    for (const work of works.filter(isClosed)) {
      this.gates.set(work.key, lost.get(work.key) ?? 0);
      writeFileSync(join(work.folder, 'gate'), '');
    }
    return true;
  }

  async #kill(member: FleetMember, isLong: boolean): Promise<void> {
    this.blows['workers killed'] += 1;
    this.#fleet.kill(member);
    await setTimeout(isLong ? absenceMs : 1000);
    await this.#fleet.revive(member);
  }

  async #cut(
    { way }: FleetMember,
    { isLong, how }: { readonly isLong: boolean; readonly how: 'both ways' | 'answers' },
  ): Promise<void> {
    this.blows[how === 'answers' ? 'workers cut off from answers' : 'workers cut off, both ways'] += 1;
    way.cut(how);
    await setTimeout(isLong ? absenceMs : 2000);
    way.heal();
  }

  async #strikeServer(downMs: number): Promise<void> {
    this.blows['PostgreSQL killed'] += 1;
    const { database } = this.#fleet;
    await database.crash();
    await setTimeout(downMs);
    await database.up();
  }

  async #failOver(): Promise<void> {
    this.blows['failovers to the standby'] += 1;
    await this.#fleet.database.failOver();
  }
}

/** Whether it waits at a gate. */
function isClosed({ kind, folder }: ChaosWork): boolean {
  return kind === 'gated' && !existsSync(join(folder, 'gate'));
}
