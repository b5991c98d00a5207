import * as z from 'zod';
import { DispatchId, PromptId, RuleId, RunId, ThreadId } from '../../protocol/id.js';
import type { Change } from '../change.js';
import type { WorkerIdentity } from '../unit.js';
import { PostgresConnection } from './postgres-connection.js';
import type { DatabaseAddress } from './store-url.js';
import type { Committed } from './unit-writer.js';

const channel = 'handraise_changes';
// What workers do to their own threads; heard only where somebody looks on.
const shownChannel = 'handraise_shown';
// A notice inside of each commit would be a lock that all commits of the server wait for; one every 20 ms costs nothing.
const gatherMs = 20;
// Each notice wakes every worker's connection at the server, whatever it listens to: the more workers, the fewer from each.
const gatherMsPerWorker = 2;
const longestGatherMs = 1000;
// PostgreSQL takes 8000 bytes; who tells it is said, too.
const largestPart = 7000;
const mostPayloads = 20;
const pollMs = 2000;
// A notice is a commit of its own, and no disk or standby need be waited for: one that a crash loses is found by the next look.
const withoutSync = 'set synchronous_commit = off';

const threadId = ThreadId;
const ofOwner = z.literal(true).optional();
const WiredChange = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('thread'), threadId, ofOwner }),
  z.object({ topic: z.literal('events'), threadId, seq: z.int(), ofOwner }),
  z.object({ topic: z.literal('status'), threadId, ofOwner }),
  z.object({ topic: z.literal('run'), threadId, runId: RunId, ofOwner }),
  z.object({ topic: z.literal('dispatch'), threadId, dispatchId: DispatchId, ofOwner }),
  z.object({ topic: z.literal('prompt'), threadId, promptId: PromptId, ofOwner }),
  z.object({ topic: z.literal('rule'), ruleId: RuleId }),
  z.object({ topic: z.literal('outbox'), id: z.string() }),
]);

/** What one worker tells the others: what it changed, and how many commits that makes. */
const Notice = z.object({
  from: z.string(),
  /** How many there were before these; whoever has not heard of so many has missed some. Older workers do not say. */
  after: z.int().optional(),
  /** 0 where it is not all that these commits have changed. */
  commits: z.int(),
  /** Null when it is too much to tell. */
  changes: z.array(WiredChange).nullable(),
});

/** The commits that a notice is about: all after one number up to another, or only some of them. */
interface ToldCommits {
  readonly after: number;
  readonly commits: number;
}

interface Told extends ToldCommits {
  readonly from: string;
  readonly changes: readonly Change[];
}

const someCommits: ToldCommits = { after: 0, commits: 0 };

/**
 * Tells the other workers what this one changed, and hears what they did. A hint and no more. Where somebody looks on, everything
 * is heard: each worker counts its commits in the database, and whoever finds that somebody has counted further than was heard
 * says that changes were missed. Elsewhere only what may concern this worker is heard, and it looks by itself with every poll.
 */
export class ChangeWire implements AsyncDisposable {
  readonly #address: DatabaseAddress;
  readonly #self: WorkerIdentity;
  readonly #hear: (changes: readonly Change[]) => void;
  readonly #miss: () => void;
  readonly #look: () => void;
  readonly #heard = new Map<string, number>();
  readonly #suspects = new Map<string, number>();
  readonly #urgent = new Map<string, Change>();
  readonly #shown = new Map<string, Change>();
  #commits = 0;
  /** From the first connection on: what an earlier life of this worker did not live to tell counts as told by nobody. */
  #toldCommits = 0;
  #connection: PostgresConnection | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #gatheringShown: NodeJS.Timeout | undefined;
  #others = 0;
  #isWatched = false;
  #hearsShown = false;
  #polling: NodeJS.Timeout | undefined;
  #busy: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: {
    readonly address: DatabaseAddress;
    readonly self: WorkerIdentity;
    readonly hear: (changes: readonly Change[]) => void;
    /** Changes of others were lost on the way. */
    readonly miss: () => void;
    /** Something may have been done that concerns this worker. */
    readonly look: () => void;
  }) {
    this.#address = options.address;
    this.#self = options.self;
    this.#hear = options.hear;
    this.#miss = options.miss;
    this.#look = options.look;
  }

  async open(): Promise<void> {
    const connection = await this.#connect();
    this.#toldCommits = await this.#ownCount(connection);
    this.#polling = setInterval(() => this.#do(async () => await this.#poll()), pollMs);
  }

  /** Something was committed; the others hear of it in a moment. */
  tell({ changes, ofOwner, commits }: Committed): void {
    this.#commits = commits;
    for (const change of changes)
      if (ofOwner.has(change)) this.#shown.set(keyOf(change), { ...change, ofOwner: true });
      else this.#urgent.set(keyOf(change), change);
    if (this.#isClosed) return;
    if (this.#urgent.size > 0)
      this.#gathering ??= setTimeout(() => this.#do(async () => await this.#sendUrgent()), gatherMs);
    const shownMs = Math.min(longestGatherMs, Math.max(gatherMs, this.#others * gatherMsPerWorker));
    this.#gatheringShown ??= setTimeout(() => this.#do(async () => await this.#send()), shownMs);
  }

  /** Whether somebody looks on here. */
  watch(isWatched: boolean): void {
    if (this.#isWatched === isWatched) return;
    this.#isWatched = isWatched;
    if (!this.#isClosed) this.#do(async () => void (await this.#connect()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#polling);
    clearTimeout(this.#gathering);
    clearTimeout(this.#gatheringShown);
    await this.#busy;
    if (this.#connection?.isOpen) await this.#send().catch(() => {});
    await this.#connection?.[Symbol.asyncDispose]();
  }

  /** One thing at a time; what fails is found by the next poll. */
  #do(work: () => Promise<void>): void {
    this.#busy = this.#busy.then(work).catch(() => this.#connection?.abandon());
  }

  async #connect(): Promise<PostgresConnection> {
    const isNew = !this.#connection?.isOpen;
    const again = isNew && this.#connection !== undefined;
    if (!this.#connection?.isOpen) {
      this.#connection = await PostgresConnection.open(this.#address, { session: withoutSync });
      this.#hearsShown = false;
      await this.#connection.listen(channel, (payload) => this.#receive(payload));
    }
    const begins = this.#isWatched && !this.#hearsShown;
    if (this.#isWatched !== this.#hearsShown) {
      await this.#connection.query(`${begins ? 'listen' : 'unlisten'} ${shownChannel}`);
      this.#hearsShown = begins;
    }
    if (isNew || begins) await this.#count();
    // What was said while nobody listened is not said again.
    if (again) this.#miss();
    else if (begins) this.#look();
    return this.#connection;
  }

  /** What may concern others, which is not all that was committed. */
  async #sendUrgent(): Promise<void> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#urgent.size > 0) await this.#publish(channel, this.#urgent, someCommits);
  }

  async #send(): Promise<void> {
    await this.#sendUrgent();
    clearTimeout(this.#gatheringShown);
    this.#gatheringShown = undefined;
    const commits = this.#commits;
    if (commits === this.#toldCommits && this.#shown.size === 0) return;
    await this.#publish(shownChannel, this.#shown, { after: this.#toldCommits, commits });
    this.#toldCommits = commits;
  }

  async #publish(to: string, unsent: Map<string, Change>, told: ToldCommits): Promise<void> {
    const connection = await this.#connect();
    const sent = new Map(unsent);
    const payloads = payloadsOf({ from: this.#self.id, ...told, changes: [...sent.values()] });
    for (const payload of payloads) await connection.query('select pg_notify($1, $2)', [to, payload]);
    // Only now: with the count of the next notice the others would take for heard what never reached them.
    for (const [key, change] of sent) if (unsent.get(key) === change) unsent.delete(key);
  }

  #receive(payload: string): void {
    const notice = Notice.safeParse(parsed(payload));
    if (!notice.success || notice.data.from === this.#self.id) return;
    const { from, after = 0, commits, changes } = notice.data;
    const heard = this.#heard.get(from) ?? 0;
    this.#heard.set(from, Math.max(commits, heard));
    // A worker that was killed between a commit and its notice begins with its next life, and would hide what is missing.
    if (!changes || after > heard) this.#miss();
    if (changes) this.#hear(changes);
  }

  async #poll(): Promise<void> {
    await this.#connect();
    if (!this.#gatheringShown) await this.#send();
    const counts = await this.#counts();
    this.#others = counts.length;
    if (!this.#hearsShown) return this.#look();
    let hasMissed = false;
    for (const [worker, commits] of counts) {
      const heard = this.#heard.get(worker) ?? 0;
      // A notice may be on its way: only what was already counted at the last look is missing.
      if ((this.#suspects.get(worker) ?? 0) > heard) {
        hasMissed = true;
        this.#heard.set(worker, commits);
      }
      this.#suspects.set(worker, commits);
    }
    if (hasMissed) this.#miss();
  }

  /** From here on. */
  async #count(): Promise<void> {
    for (const [worker, commits] of await this.#counts()) this.#heard.set(worker, commits);
  }

  async #ownCount(connection: PostgresConnection): Promise<number> {
    const { rows } = await connection.query('select commits from workers where id = $1', [this.#self.id]);
    return Number(Object(rows[0]).commits ?? 0);
  }

  async #counts(): Promise<(readonly [string, number])[]> {
    const reply = await this.#connection?.query('select id, commits from workers where id <> $1', [
      this.#self.id,
    ]);
    return (reply?.rows ?? []).map((row) => [String(Object(row).id), Number(Object(row).commits)] as const);
  }
}

/** Of many changes of one thing, the last. */
function keyOf(change: Change): string {
  const { topic } = change;
  if (topic === 'events') return `events ${change.threadId}`;
  return Object.values(change).join(' ');
}

/** Each change is written out once: a notice of a busy moment has hundreds. */
function payloadsOf({ from, after, commits, changes }: Told): string[] {
  const head = `"from":${JSON.stringify(from)},"after":${after},"commits":${commits}`;
  const text = (part: string) => `{${head},"changes":${part}}`;
  const parts: string[][] = [[]];
  let size = 0;
  for (const change of changes) {
    const written = JSON.stringify(change);
    size += Buffer.byteLength(written) + 1;
    if (size > largestPart) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(written);
  }
  return parts.length > mostPayloads ? [text('null')] : parts.map((part) => text(`[${part.join(',')}]`));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
