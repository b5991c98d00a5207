import type { NumberedLine } from '../../process/files/line-journal.js';
import type { Failpoint } from './failpoint.js';
import type { DurableLine, RunnerConnection, TransientLine } from './runner-connection.js';

/** Where the lines of a runner go. */
export interface IntakeTarget {
  /** Records lines and acknowledges nothing; the answer is the last number that is recorded. */
  record(lines: readonly NumberedLine[]): Promise<number>;
  /** Shows a line that is stored nowhere. */
  show(line: TransientLine): void;
}

const unitLines = 500;
const unitBytes = 4 * 2 ** 20;
// What nobody waits for waits this long for company: a short turn is then three commits instead of eight (bench/trace).
const gatherMs = 50;
const quietTypes = new Set([
  'agent_stop',
  'command_accepted',
  'context_usage',
  'context_window_size',
  'hook_post_tool',
  'hook_pre_tool',
  'hook_tool_failure',
  'resources_used',
  'status_evidence',
  'thinking_start',
]);
// Receipts and measures say nothing about the text, so that live text does not wait for them to be committed.
const besideTextTypes = new Set([
  'agent_stop',
  'command_accepted',
  'context_usage',
  'context_window_size',
  'status_evidence',
]);

/** Reads one runner on one connection: records its lines in their order, and acknowledges only what is committed. */
export class EventIntake {
  readonly #connection: RunnerConnection;
  readonly #target: IntakeTarget;
  readonly #failpoint: (name: Failpoint) => void;
  #waiting: NumberedLine[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | null = null;
  #failure: unknown = null;
  #gathering: NodeJS.Timeout | undefined;
  #atOnce: NodeJS.Immediate | undefined;
  /** Live text, with the last line that came before it, and the last of these that has to be seen before it. */
  #transient: { readonly line: TransientLine; readonly after: number; readonly needs: number }[] = [];
  #lastRead: number;
  #lastNeeded: number;
  #lastRecorded: number;

  constructor(
    connection: RunnerConnection,
    options: {
      readonly lastRecorded: number;
      readonly target: IntakeTarget;
      readonly failpoint: (name: Failpoint) => void;
    },
  ) {
    this.#connection = connection;
    this.#lastRead = options.lastRecorded;
    this.#lastNeeded = options.lastRecorded;
    this.#lastRecorded = options.lastRecorded;
    this.#target = options.target;
    this.#failpoint = options.failpoint;
  }

  /** Goes on until the connection ends; what could not be recorded is thrown, and a new connection asks for it again. */
  async run(): Promise<void> {
    try {
      for await (const line of this.#connection.lines()) {
        // What could not be committed must be committed before anything that follows it.
        if (this.#failure !== null) break;
        if (line.kind === 'transient') this.#showInOrder(line);
        else await this.#take(line);
      }
      this.#flush();
      await this.#writing;
    } finally {
      clearTimeout(this.#gathering);
      clearImmediate(this.#atOnce);
    }
    if (this.#failure !== null) throw this.#failure;
  }

  async #take(line: DurableLine): Promise<void> {
    this.#failpoint('received');
    this.#lastRead = line.seq;
    if (!besideTextTypes.has(line.type)) this.#lastNeeded = line.seq;
    this.#waiting.push(line);
    this.#waitingBytes += line.text.length;
    if (quietTypes.has(line.type)) this.#gathering ??= setTimeout(() => this.#flush(), gatherMs);
    else this.#flushSoon();
    if (this.#waiting.length < unitLines && this.#waitingBytes < unitBytes) return;
    // The reading stops here, the socket fills, and the runner waits: it has the rest in its journal.
    this.#flush();
    await this.#writing;
  }

  /** Live text does not overtake what the runner wrote before it. */
  #showInOrder(line: TransientLine): void {
    this.#transient.push({ line, after: this.#lastRead, needs: this.#lastNeeded });
    if (this.#waiting.some(({ seq }) => seq <= this.#lastNeeded)) this.#flushSoon();
    this.#showDue();
  }

  /** Once all that came with one read of the socket was taken: it is one commit then. */
  #flushSoon(): void {
    this.#atOnce ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    clearTimeout(this.#gathering);
    clearImmediate(this.#atOnce);
    this.#gathering = undefined;
    this.#atOnce = undefined;
    if (this.#failure === null && this.#waiting.length > 0) this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    try {
      // What arrives while one commit is under way goes into the next.
      for (let lines = this.#takeUnit(); lines.length > 0; lines = this.#takeUnit()) {
        this.#lastRecorded = await this.#target.record(lines);
        this.#connection.send({ type: 'ack', runSeq: this.#lastRecorded });
        this.#failpoint('acknowledged');
        this.#showDue();
      }
    } catch (error) {
      this.#failure = error;
      await this.#connection[Symbol.asyncDispose]();
    }
    this.#writing = null;
  }

  /** What can be committed now: up to where live text waits to be shown, so that nothing of a later time is shown before it. */
  #takeUnit(): NumberedLine[] {
    const [first] = this.#transient;
    const later = first ? this.#waiting.findIndex(({ seq }) => seq > first.after) : -1;
    const unit = this.#waiting;
    this.#waiting = later === -1 ? [] : unit.splice(later);
    this.#waitingBytes = this.#waiting.reduce((sum, { text }) => sum + text.length, 0);
    return unit;
  }

  #showDue(): void {
    const due = this.#transient.filter(({ needs }) => needs <= this.#lastRecorded);
    this.#transient = this.#transient.filter(({ needs }) => needs > this.#lastRecorded);
    for (const { line } of due) this.#target.show(line);
  }
}
