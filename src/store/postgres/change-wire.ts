import * as z from 'zod';
import { DispatchId, PromptId, RuleId, RunId, ThreadId } from '../../protocol/id.js';
import type { Change } from '../change.js';
import type { WorkerIdentity } from '../unit.js';
import { PostgresConnection } from './postgres-connection.js';
import type { DatabaseAddress } from './store-url.js';

const channel = 'handraise_changes';
// A notice inside of each commit would be a lock that all commits of the server wait for; one every 20 ms costs nothing.
const gatherMs = 20;
// PostgreSQL takes 8000 bytes; who tells it is said, too.
const largestPart = 7000;
const mostPayloads = 20;
const pollMs = 2000;
// A notice is a commit of its own, and no disk or standby need be waited for: one that a crash loses is found by the next look.
const withoutSync = 'set synchronous_commit = off';

const threadId = ThreadId;
const WiredChange = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('thread'), threadId }),
  z.object({ topic: z.literal('events'), threadId, seq: z.int() }),
  z.object({ topic: z.literal('status'), threadId }),
  z.object({ topic: z.literal('run'), threadId, runId: RunId }),
  z.object({ topic: z.literal('dispatch'), threadId, dispatchId: DispatchId }),
  z.object({ topic: z.literal('prompt'), threadId, promptId: PromptId }),
  z.object({ topic: z.literal('rule'), ruleId: RuleId }),
  z.object({ topic: z.literal('outbox'), id: z.string() }),
]);

/** What one worker tells the others: what it changed, and how many commits that makes. */
const Notice = z.object({
  from: z.string(),
  commits: z.int(),
  /** Null when it is too much to tell. */
  changes: z.array(WiredChange).nullable(),
});

interface Told {
  readonly from: string;
  readonly commits: number;
  readonly changes: readonly Change[];
}

/**
 * Tells the other workers what this one changed, and hears what they did. A hint and no more: each worker counts its
 * commits in the database, and whoever finds that somebody has counted further than was heard says that changes were missed.
 */
export class ChangeWire implements AsyncDisposable {
  readonly #address: DatabaseAddress;
  readonly #self: WorkerIdentity;
  readonly #hear: (changes: readonly Change[]) => void;
  readonly #miss: () => void;
  readonly #heard = new Map<string, number>();
  readonly #suspects = new Map<string, number>();
  readonly #unsent = new Map<string, Change>();
  #commits = 0;
  #toldCommits = 0;
  #connection: PostgresConnection | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  #busy: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: {
    readonly address: DatabaseAddress;
    readonly self: WorkerIdentity;
    readonly hear: (changes: readonly Change[]) => void;
    /** Changes of others were lost on the way. */
    readonly miss: () => void;
  }) {
    this.#address = options.address;
    this.#self = options.self;
    this.#hear = options.hear;
    this.#miss = options.miss;
  }

  async open(): Promise<void> {
    await this.#connect();
    this.#polling = setInterval(() => this.#do(async () => await this.#poll()), pollMs);
  }

  /** Something was committed; the others hear of it in a moment. */
  tell(changes: readonly Change[], commits: number): void {
    this.#commits = commits;
    for (const change of changes) this.#unsent.set(keyOf(change), change);
    if (!this.#isClosed)
      this.#gathering ??= setTimeout(() => this.#do(async () => await this.#send()), gatherMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#polling);
    clearTimeout(this.#gathering);
    await this.#busy;
    if (this.#connection?.isOpen) await this.#send().catch(() => {});
    await this.#connection?.[Symbol.asyncDispose]();
  }

  /** One thing at a time; what fails is found by the next poll. */
  #do(work: () => Promise<void>): void {
    this.#busy = this.#busy.then(work).catch(() => this.#connection?.abandon());
  }

  async #connect(): Promise<PostgresConnection> {
    if (this.#connection?.isOpen) return this.#connection;
    const again = this.#connection !== undefined;
    this.#connection = await PostgresConnection.open(this.#address, { session: withoutSync });
    await this.#connection.listen(channel, (payload) => this.#receive(payload));
    await this.#count();
    // What was said while nobody listened is not said again.
    if (again) this.#miss();
    return this.#connection;
  }

  async #send(): Promise<void> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const commits = this.#commits;
    if (commits === this.#toldCommits && this.#unsent.size === 0) return;
    const connection = await this.#connect();
    const sent = new Map(this.#unsent);
    const payloads = payloadsOf({ from: this.#self.id, commits, changes: [...sent.values()] });
    for (const payload of payloads) await connection.query('select pg_notify($1, $2)', [channel, payload]);
    // Only now: with the count of the next notice the others would take for heard what never reached them.
    for (const [key, change] of sent) if (this.#unsent.get(key) === change) this.#unsent.delete(key);
    this.#toldCommits = commits;
  }

  #receive(payload: string): void {
    const notice = Notice.safeParse(parsed(payload));
    if (!notice.success || notice.data.from === this.#self.id) return;
    const { from, commits, changes } = notice.data;
    this.#heard.set(from, Math.max(commits, this.#heard.get(from) ?? 0));
    if (changes) this.#hear(changes);
    else this.#miss();
  }

  async #poll(): Promise<void> {
    await this.#connect();
    if (!this.#gathering) await this.#send();
    const counts = await this.#counts();
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
function payloadsOf({ from, commits, changes }: Told): string[] {
  const text = (part: string) => `{"from":${JSON.stringify(from)},"commits":${commits},"changes":${part}}`;
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
