import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChaosDatabase } from './chaos-database.js';
import type { ChaosWork } from './chaos-work.js';

/** What the answer to a question is known by. */
export function tokenOf(promptId: string): string {
  return `token-${promptId}`;
}

const mostLosses = 3;

/** One piece of work as the store and its folder tell of it. */
export interface ChaosEvidence {
  readonly key: string;
  readonly kind: ChaosWork['kind'];
  readonly threads: readonly string[];
  readonly result: string | undefined;
  /** Why it ended so. */
  readonly reason: string | undefined;
  /** How often its end is told. */
  readonly ends: number;
  /** How many of its tries ended with their worker. */
  readonly losses: number;
  /** How many of its agents were cut off in a try that went on with another one, which is told the answer again. */
  readonly cutInTry: number;
  /** How many of both there were before its gate was opened; 0 without a gate. */
  readonly lostAtGate: number;
  /** How often it reached a usage limit. */
  readonly limits: number;
  /** Of each act: which life of the agent did it, and how many had begun by then. */
  readonly acts: readonly (readonly [life: number, begun: number])[];
  /** What each life that had its answer was told. */
  readonly heard: readonly string[];
  readonly tokens: readonly string[];
}

/** Judges one piece of work. */
export function judge(work: ChaosEvidence): readonly string[] {
  const { key, kind, acts, heard } = work;
  const lost = work.losses + work.cutInTry;
  const wrong: string[] = [];
  if (work.threads.length !== 1) wrong.push(`${key} was begun ${work.threads.length} times`);
  if (work.ends !== 1) wrong.push(`${key} ended ${work.ends} times`);
  if (isGivenUp(work)) return wrong;
  if (work.result !== 'succeeded') wrong.push(`${key} is ${work.result ?? 'not ended'}`);
  for (const [life, begun] of acts)
    if (life !== begun)
      wrong.push(`${key}: life ${life} of its agent acted although life ${begun} had begun`);
  if (kind === 'limited') {
    // A worker that is lost takes along what its agent had reached.
    if (work.limits === 0 && lost === 0) wrong.push(`${key} reached no usage limit`);
    return wrong;
  }
  if (acts.length === 0) wrong.push(`${key} did nothing`);
  // A life that waits at the gate cannot have acted: only those count that were lost once it was open.
  if (acts.length > 1 + lost - work.lostAtGate) wrong.push(`${key} acted ${acts.length} times`);
  if (kind !== 'asks') return wrong;
  if (work.tokens.length === 0) wrong.push(`${key}: no answer was accepted`);
  for (const token of work.tokens) {
    const times = heard.filter((text) => text.includes(token)).length;
    if (times === 0) wrong.push(`${key}: the accepted answer ${token} was never heard`);
    if (times > 1 + lost) wrong.push(`${key}: the answer ${token} was delivered ${times} times`);
  }
  return wrong;
}

/** Whether it ended because a third worker was lost that had it, which is what the failure table says. */
export function isGivenUp({ losses, reason }: Pick<ChaosEvidence, 'losses' | 'reason'>): boolean {
  return losses > mostLosses - 1 && (reason === 'worker_lost' || reason === 'cut_off');
}

const isLost = "coalesce(a.outcome::jsonb->>'reason', '') in ('worker_lost', 'cut_off')";
const lossesOf = `(select count(*) from attempts a where a.dispatch_id = d.id and ${isLost})`;
const cutInTryOf = `(select count(*)
  from attempts a, jsonb_array_elements_text(a.run_ids::jsonb) with ordinality as its(run, place), runs r
  where a.dispatch_id = d.id and not ${isLost} and r.id = its.run
    and place < jsonb_array_length(a.run_ids::jsonb) and (r.facts::jsonb->>'isCutOff')::boolean)`;

/** How often each piece has lost an agent with its worker so far. */
export async function readLost(database: Pick<ChaosDatabase, 'sql'>): Promise<ReadonlyMap<string, number>> {
  const rows = await database.sql(
    `select idempotency_key as key, ${lossesOf} + ${cutInTryOf} as lost from dispatches d where idempotency_key is not null`,
  );
  return new Map(rows.map(({ key, lost }) => [String(key), Number(lost)]));
}

/** Reads what became of the work. */
export async function readEvidence(
  database: ChaosDatabase,
  works: readonly ChaosWork[],
  {
    answers,
    gates,
  }: {
    /** The questions of which somebody was told that their answer was accepted. */
    readonly answers: readonly string[];
    /** How often each gated piece had lost an agent when its gate was opened. */
    readonly gates: ReadonlyMap<string, number>;
  },
): Promise<readonly ChaosEvidence[]> {
  const dispatches = await database.sql(
    `select idempotency_key as key, d.id, d.thread_id, outcome::jsonb->>'result' as result, outcome::jsonb->>'reason' as reason,
       (select count(*) from events e where e.thread_id = d.thread_id and type = 'dispatch_ended') as ends,
       ${lossesOf} as losses, ${cutInTryOf} as cut_in_try,
       (select count(*) from attempts a where a.dispatch_id = d.id and a.outcome::jsonb->>'reason' = 'rate_limit') as limits
     from dispatches d where idempotency_key is not null`,
  );
  const prompts = await database.sql('select id, thread_id, accepted_at from prompts');
  return works.map(({ key, kind, folder }) => {
    const found = dispatches.filter((dispatch) => dispatch['key'] === key);
    const threads = new Set(found.map((dispatch) => dispatch['thread_id']));
    const own = prompts.filter((prompt) => threads.has(prompt['thread_id']));
    // Also those that were accepted by a worker that died before it could say so.
    const accepted = own
      .filter((prompt) => prompt['accepted_at'] !== null)
      .map(({ id }) => tokenOf(String(id)));
    const acknowledged = answers.filter((promptId) => own.some(({ id }) => id === promptId)).map(tokenOf);
    const [dispatch] = found;
    return {
      key,
      kind,
      threads: [...threads].map(String),
      result: textOf(dispatch?.['result']),
      reason: textOf(dispatch?.['reason']),
      ends: found.reduce((sum, each) => sum + Number(each['ends']), 0),
      losses: Number(dispatch?.['losses'] ?? 0),
      cutInTry: Number(dispatch?.['cut_in_try'] ?? 0),
      lostAtGate: gates.get(key) ?? 0,
      limits: Number(dispatch?.['limits'] ?? 0),
      acts: linesOf(join(folder, 'acts')).map((line) => {
        const [life = 0, begun = 0] = line.split(' ').map(Number);
        return [life, begun] as const;
      }),
      heard: readdirSync(folder)
        .filter((name) => name.startsWith('heard.'))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
      tokens: [...new Set([...accepted, ...acknowledged])],
    };
  });
}

export function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
