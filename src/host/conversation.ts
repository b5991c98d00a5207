import type { NumberedLine } from '../process/line-journal.js';
import type { RunnerLink, Said } from './runner-link.js';

/** What is told and forgotten: live text and the like. */
export type Aside = Extract<Said, { kind: 'aside' }>;

export interface ConversationOutside {
  /** Records lines and acknowledges nothing; the answer is the last number that is recorded. */
  readonly record: (lines: readonly NumberedLine[]) => Promise<number>;
  readonly aside: (aside: Aside) => void;
  readonly failpoint: (name: 'received' | 'acknowledged') => void;
}

const unitLines = 500;
const unitBytes = 4 * 2 ** 20;
// What nobody waits for waits this long for company: a turn is then three commits instead of eight (bench/worker).
const gatherMs = 10;
const quietTypes = new Set([
  'agent_stop',
  'command_accepted',
  'context_usage',
  'context_window_size',
  'hook_post_tool',
  'hook_pre_tool',
  'hook_tool_failure',
  'status_evidence',
  'thinking_start',
]);

/** Listens to one runner on one connection: records what it says in its order, and acknowledges only what is committed. */
export class Conversation {
  readonly #link: RunnerLink;
  readonly #outside: ConversationOutside;
  #waiting: NumberedLine[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | null = null;
  #failure: unknown = null;
  #gathering: NodeJS.Timeout | undefined;
  #asides: { readonly aside: Aside; readonly after: number }[] = [];
  #lastRead: number;
  #lastRecorded: number;

  constructor(link: RunnerLink, lastRecorded: number, outside: ConversationOutside) {
    this.#link = link;
    this.#lastRead = lastRecorded;
    this.#lastRecorded = lastRecorded;
    this.#outside = outside;
  }

  /** Goes on until the connection ends; what could not be recorded is thrown, and a new connection asks for it again. */
  async run(): Promise<void> {
    try {
      for await (const said of this.#link.said()) {
        // What could not be committed must be committed before anything that follows it.
        if (this.#failure !== null) break;
        if (said.kind === 'aside') this.#hear(said);
        else await this.#take(said);
      }
      this.#flush();
      await this.#writing;
    } finally {
      clearTimeout(this.#gathering);
    }
    if (this.#failure !== null) throw this.#failure;
  }

  async #take(said: Extract<Said, { kind: 'event' }>): Promise<void> {
    this.#outside.failpoint('received');
    this.#lastRead = said.seq;
    this.#waiting.push(said);
    this.#waitingBytes += said.text.length;
    if (quietTypes.has(said.type)) this.#gathering ??= setTimeout(() => this.#flush(), gatherMs);
    else this.#flush();
    if (this.#waiting.length < unitLines && this.#waitingBytes < unitBytes) return;
    // The reading stops here, the socket fills, and the runner waits: it has the rest in its journal.
    this.#flush();
    await this.#writing;
  }

  /** Live text does not overtake what the runner said before it. */
  #hear(aside: Aside): void {
    this.#asides.push({ aside, after: this.#lastRead });
    if (this.#waiting.length > 0) this.#flush();
    if (!this.#writing) this.#tellAsides();
  }

  #flush(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#failure === null && this.#waiting.length > 0) this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    try {
      // What arrives while one commit is under way goes into the next.
      for (let lines = this.#waiting; lines.length > 0; lines = this.#waiting) {
        this.#waiting = [];
        this.#waitingBytes = 0;
        this.#lastRecorded = await this.#outside.record(lines);
        this.#link.send({ type: 'ack', runSeq: this.#lastRecorded });
        this.#outside.failpoint('acknowledged');
        this.#tellAsides();
      }
    } catch (error) {
      this.#failure = error;
      await this.#link[Symbol.asyncDispose]();
    }
    this.#writing = null;
  }

  #tellAsides(): void {
    const due = this.#asides.filter(({ after }) => after <= this.#lastRecorded);
    this.#asides = this.#asides.filter(({ after }) => after > this.#lastRecorded);
    for (const { aside } of due) this.#outside.aside(aside);
  }
}
