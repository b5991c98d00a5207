import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PipelineId } from '../../../src/protocol/id.js';
import type { ChaosFleet } from './chaos-fleet.js';
import { linesOf } from './chaos-verdict.js';

const lastYear = `${new Date().getUTCFullYear()}-01-01T00:00:00.000Z`;
const source = `phases:
  one: { run: "sleep 1; echo x >> one" }
  two: { needs: one, run: "wc -l < one >> before-two; echo x >> two" }
`;

/** What workers do by themselves: the work of schedules, and the phases of pipelines. */
export class ChaosDuties {
  readonly #fleet: ChaosFleet;
  readonly #count: number;
  readonly #pipelines = new Map<PipelineId, string>();

  private constructor(fleet: ChaosFleet, count: number) {
    this.#fleet = fleet;
    this.#count = count;
  }

  /** Schedules that come due in the middle, one per worker that is due each minute, and pipelines. */
  static async give(fleet: ChaosFleet, count: number): Promise<ChaosDuties> {
    const duties = new ChaosDuties(fleet, count);
    const { members, database } = fleet;
    for (const [index, { worker }] of members.entries())
      await worker?.schedule(scheduleOf(`minute-${index}`, '* * * * *', duties.#folder(`minute-${index}`)));
    for (let index = 0; index < count; index += 1) {
      const { worker } = members[index % members.length] ?? {};
      const folder = duties.#folder(`duty-${index}`);
      await worker?.schedule(scheduleOf(`duty-${index}`, '0 0 1 1 *', folder));
      const id = await worker?.pipeline({ workspace: { path: folder }, source });
      if (id !== undefined) duties.#pipelines.set(id, folder);
    }
    const record = `(record::jsonb || '{"nextAt":"${lastYear}","dueAt":"${lastYear}"}'::jsonb)::text`;
    await database.sql(
      `update schedules set due_at = '${lastYear}', record = ${record} where record::jsonb->>'name' like 'duty-%'`,
    );
    return duties;
  }

  /** Whether all that was given once has ended. */
  async haveEnded(): Promise<boolean> {
    const [row] = await this.#fleet.database.sql(
      `select (select count(*) from schedule_runs r join dispatches d on d.id = r.dispatch_id
           where d.state = 'ended' and r.tick_at = '${lastYear}') as scheduled,
         (select count(*) from pipelines where state = 'ended') as pipelines`,
    );
    return Number(row?.['scheduled']) === this.#count && Number(row?.['pipelines']) === this.#count;
  }

  async judge(): Promise<{
    readonly counts: Record<string, number>;
    readonly violations: readonly string[];
  }> {
    const ticks = await this.#judgeTicks();
    const phases = await this.#judgePhases();
    return {
      counts: { ...ticks.counts, ...phases.counts },
      violations: [...ticks.violations, ...phases.violations],
    };
  }

  async #judgeTicks() {
    const { database } = this.#fleet;
    const violations: string[] = [];
    const ticks = await database.sql(
      `select s.record::jsonb->>'name' as name, r.tick_at as tick, count(*) as runs, count(distinct r.dispatch_id) as works
       from schedule_runs r join schedules s on s.id = r.schedule_id group by 1, 2`,
    );
    for (const { name, tick, runs, works } of ticks)
      if (Number(runs) !== 1 || Number(works) > 1)
        violations.push(
          `${String(name)} at ${String(tick)}: ${String(runs)} times, ${String(works)} pieces of work`,
        );
    const strangers = await database.sql(
      `select id from dispatches d where labels like '%"schedule"%'
         and not exists (select 1 from schedule_runs r where r.dispatch_id = d.id)`,
    );
    for (const { id } of strangers)
      violations.push(`${String(id)}: work of a schedule that belongs to no time`);
    const yearly = ticks.filter(({ tick }) => tick === lastYear).length;
    if (yearly !== this.#count) violations.push(`${yearly} of ${this.#count} schedules gave their work`);
    const given = ticks.filter(({ works }) => Number(works) === 1).length;
    return {
      counts: { 'times of schedules': ticks.length, 'of these with one piece of work': given },
      violations,
    };
  }

  async #judgePhases() {
    const { database } = this.#fleet;
    const violations: string[] = [];
    const losses = await database.sql(
      `select p.pipeline_id as id, p.key, count(*) filter (where a.outcome::jsonb->>'reason' in ('worker_lost', 'cut_off')) as losses
       from pipeline_phases p, jsonb_array_elements(p.record::jsonb->'tries') t
         left join attempts a on a.dispatch_id = t->>'dispatchId'
       group by 1, 2`,
    );
    let again = 0;
    for (const [id, folder] of this.#pipelines)
      for (const phase of ['one', 'two']) {
        const times = linesOf(join(folder, phase)).length;
        const row = losses.find((each) => each['id'] === id && each['key'] === phase);
        const lost = Number(row?.['losses'] ?? 0);
        if (times === 0) violations.push(`${id}: phase ${phase} did nothing`);
        if (times > 1 + lost)
          violations.push(`${id}: phase ${phase} ran ${times} times, ${lost} workers were lost`);
        if (times > 1) again += 1;
      }
    for (const [id, folder] of this.#pipelines) {
      const seen = linesOf(join(folder, 'before-two')).map(Number);
      const now = linesOf(join(folder, 'one')).length;
      if (seen.some((lines) => lines !== now))
        violations.push(`${id}: phase one ran again after it had finished (${seen.join(', ')}, then ${now})`);
    }
    return {
      counts: {
        'phases of pipelines': this.#pipelines.size * 2,
        'of these begun again with a lost worker': again,
      },
      violations,
    };
  }

  #folder(name: string): string {
    const folder = join(this.#fleet.shared, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

function scheduleOf(name: string, when: string, folder: string) {
  return {
    name,
    when,
    timeZone: 'UTC',
    unanswered: 'refuse',
    missed: 'once',
    overlap: 'queue',
    work: {
      text: 'Work.',
      runtime: 'exec',
      workspace: { path: folder },
      posture: { command: "sh -c 'echo x >> scheduled'" },
    },
  } as const;
}
