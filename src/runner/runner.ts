import { type Command, readCommand } from '../protocol/command.js';
import { cutText } from '../protocol/cut-text.js';
import type { EventBody } from '../protocol/event.js';
import { ExitCode } from '../protocol/exit-code.js';
import { stringField } from '../protocol/string-field.js';
import type {
  Launch,
  Runtime,
  RuntimeExit,
  RuntimeFact,
  RuntimeHost,
  RuntimeSession,
  TurnEnded,
} from '../runtimes/runtime.js';
import { deathSentence } from './death-sentence.js';
import { NeedsInputSentinel } from './needs-input-sentinel.js';
import { isResponse, OpenRequests, requestIdOf } from './open-requests.js';
import { TurnOutput } from './turn-output.js';

/** Makes a command that is sent again harmless. */
export interface Receipts {
  /** Whether this command took effect already; if so it is acknowledged once more. */
  repeats(command: Command): boolean;
  /** Called before a command takes effect, with the request that it answers, if any. */
  accept(command: Command, answers: string | null): void;
}

/** What the runner needs of the world. */
export interface RunnerOutside {
  readonly emit: (event: EventBody) => void;
  readonly log: (line: string) => void;
  readonly now: () => number;
  readonly newUuid: () => string;
  readonly newRequestId: () => string;
  readonly marker: RuntimeHost['marker'];
  /** How long a request waits for its answer; null where somebody else keeps the time. */
  readonly deadlineMs: number | null;
  /** Receipts for commands; over stdio there are none. */
  readonly receipts: Receipts;
  /** A promise while the agent has to be held back, else undefined. */
  readonly whenWritable: () => Promise<void> | undefined;
  /** Whether somebody keeps open questions while the process is away. */
  readonly mayPark: boolean;
}

type Closing = 'stop' | 'input_closed' | 'park' | 'shutdown';

/**
 * One conversation with one agent.
 *
 * A message waits in `#queue` until no turn runs; then its turn runs to its one result. Turns that the agent
 * starts by itself (a background task woke it) run in between and have results of their own. After a turn that
 * left a needs-input file the queue is held until the next message, which is the answer and goes first.
 * `stop` and a closed input let the running turn finish; a shutdown does not.
 */
export class Runner {
  readonly done: Promise<ExitCode>;
  readonly #runtime: Runtime;
  readonly #outside: RunnerOutside;
  readonly #requests: OpenRequests;
  readonly #sentinel: NeedsInputSentinel;
  readonly #output: TurnOutput;
  readonly #queue: Command<'message'>[] = [];
  readonly #session: RuntimeSession;
  #finish: (code: ExitCode) => void = () => {};
  #turn: 'none' | 'message' | 'background_task' = 'none';
  #messagePending = false;
  #anyMessage = false;
  #anyTurn = false;
  #held = false;
  #closing: Closing | null = null;
  #backgroundAgents = 0;
  #sessionId: string | null = null;
  #parking: EventBody<'parked'> | null = null;

  constructor(runtime: Runtime, launch: Launch, outside: RunnerOutside) {
    this.#runtime = runtime;
    this.#outside = outside;
    this.#output = new TurnOutput(outside.emit);
    this.#sentinel = new NeedsInputSentinel(runtime.needsInputSentinelPath(launch));
    this.#requests = new OpenRequests({
      newId: outside.newRequestId,
      deadlineMs: outside.deadlineMs,
      runtime,
      emit: (event) => {
        this.#output.flushText();
        outside.emit(event);
      },
    });
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    outside.emit({
      type: 'ready',
      conversationId: launch.conversationId,
      cwd: launch.cwd,
      resuming: launch.resume !== undefined,
      model: launch.model ?? null,
      runtime: runtime.name,
    });
    this.#session = runtime.open(launch, {
      emit: (fact) => this.#take(fact),
      ask: async (kind, request, signal) => await this.#requests.ask(kind, request, signal),
      log: outside.log,
      now: outside.now,
      newUuid: outside.newUuid,
      marker: outside.marker,
      whenWritable: outside.whenWritable,
    });
    void this.#watchExit();
  }

  /** One parsed line of input. */
  async handle(line: unknown): Promise<void> {
    const reading = readCommand(line);
    if (!reading.ok) {
      this.refuse(line, reading.error);
      return;
    }
    const { command } = reading;
    if (this.#outside.receipts.repeats(command)) return;
    const answers = isResponse(command) ? requestIdOf(command) : null;
    const error = isResponse(command) ? this.#requests.problemWith(command) : null;
    if (answers !== null && error !== null) {
      this.#refused(command, error, answers);
      return;
    }
    this.#outside.receipts.accept(command, answers);
    await this.#obey(command);
  }

  /** A line that is no JSON, or too long to be read. */
  badLine(message: string, line: string): void {
    this.#outside.emit({ type: 'json_parse_error', message, line: cutText(line, 200) });
  }

  /** A command that is refused before it is read. */
  refuse(line: unknown, error: string): void {
    const type = stringField(line, 'type');
    const commandId = stringField(line, 'commandId');
    this.#outside.emit({
      type: 'command_error',
      command: type === undefined ? null : cutText(type, 100),
      error,
      ...(commandId === undefined ? {} : { commandId: cutText(commandId, 100) }),
    });
  }

  /** The parent closed the input: nobody is there to answer; what was sent is still worked on. */
  inputClosed(): void {
    if (this.#closing !== null) return;
    this.#closing = 'input_closed';
    this.#requests.close('The parent closed the input.');
    this.#advance();
  }

  /** Ends everything now, in order, and says so last. */
  async shutdown(reason: string, code: ExitCode = ExitCode.success): Promise<void> {
    if (this.#closing === 'shutdown') return;
    this.#closing = 'shutdown';
    // Interrupted before the requests are rejected: an agent that hears a refusal first asks the model what to do.
    await this.#session[Symbol.asyncDispose]();
    this.#requests.close('The runner is shutting down.');
    this.#output.cutOff('The runner is shutting down.');
    this.#readAtExit(await this.#session.exited);
    this.#outside.emit({ type: 'shutdown', reason });
    this.#finish(code);
  }

  /** A bug of ours: said with the reason, then everything ends. */
  async fail(thrown: unknown): Promise<void> {
    this.#outside.log(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    this.#error(thrown instanceof Error ? thrown.message : String(thrown));
    await this.shutdown('error', ExitCode.failure);
  }

  async #obey(command: Command): Promise<void> {
    switch (command.type) {
      case 'message':
        this.#enqueue(command);
        return;
      case 'stop':
        this.#stop();
        return;
      case 'interrupt':
        await this.#interrupt(command);
        return;
      case 'user_question_response':
      case 'plan_approval_response':
      case 'permission_response':
        this.#requests.settle(command);
        return;
      case 'park':
        await this.#park(command);
        return;
      default:
        await this.#control(command);
    }
  }

  #enqueue(command: Command<'message'>): void {
    if (this.#closing !== null) {
      this.#refused(command, 'The runner is stopping and takes no more messages.', null, { later: true });
      return;
    }
    if (this.#held) {
      this.#held = false;
      this.#queue.unshift(command);
    } else {
      this.#queue.push(command);
    }
    this.#advance();
  }

  #stop(): void {
    if (this.#closing !== null) return;
    this.#closing = 'stop';
    if (this.#queue.length > 0) {
      this.#outside.emit({
        type: 'warning',
        message: `Stopped with ${this.#queue.length} messages not yet begun; they are dropped.`,
      });
      this.#queue.length = 0;
    }
    this.#advance();
  }

  async #interrupt(command: Command<'interrupt'>): Promise<void> {
    if (this.#turn === 'none') {
      this.#refused(command, 'No turn is running.');
      return;
    }
    // Without a bound on purpose: only the agent can say that its turn has ended, and the parent can still
    // stop or kill the runner when it does not.
    await this.#session.interrupt();
    this.#requests.rejectAll('The turn was interrupted.');
  }

  /** Frees the process while the question stays open: the call is deferred where that works, else interrupted. */
  async #park(command: Command<'park'>): Promise<void> {
    const { requestId } = command;
    const request = this.#requests.find(requestId);
    if (!this.#outside.mayPark || !request || this.#closing !== null) {
      this.#refused(command, whyNotParked(this.#outside.mayPark, request !== undefined), requestId);
      return;
    }
    // Of two deferred calls only the last survives, and a sub-agent's is lost (both measured).
    const isAlone = this.#requests.size === 1 && request.agentId === undefined;
    const how =
      isAlone && this.#runtime.capabilities.defers.includes(request.kind) ? 'deferred' : 'interrupted';
    this.#closing = 'park';
    this.#parking = { type: 'parked', requestId, toolUseId: request.toolUseId, how };
    this.#output.leaveOpen(this.#requests.toolUseIds);
    if (how === 'deferred') this.#requests.park(requestId);
    else await this.#session.interrupt();
  }

  async #control(command: Parameters<RuntimeSession['control']>[0]): Promise<void> {
    if (!this.#runtime.capabilities.commands.includes(command.type)) {
      this.#refused(command, `The runtime ${this.#runtime.name} cannot do this.`);
      return;
    }
    if (command.type === 'rewind_files' && this.#turn !== 'none') {
      this.#refused(command, 'Files are rewound between turns; interrupt this one first.');
      return;
    }
    try {
      const fact = await this.#session.control(command);
      if (fact) this.#take(fact);
    } catch (error) {
      this.#refused(command, error instanceof Error ? error.message : String(error));
    }
  }

  #refused(
    command: { readonly type: string; readonly commandId?: string | undefined },
    error: string,
    requestId: string | null = null,
    more: { readonly later?: true } = {},
  ): void {
    this.#outside.emit({
      type: 'command_error',
      command: command.type,
      error,
      ...more,
      ...(requestId === null ? {} : { requestId }),
      ...(command.commandId === undefined ? {} : { commandId: command.commandId }),
    });
  }

  /** Begins the next turn, or ends the session when there is nothing left to do. */
  #advance(): void {
    if (this.#turn !== 'none' || this.#messagePending || this.#held) {
      if (!(this.#held && this.#closing !== null)) return;
    }
    const isLeaving = this.#closing === 'stop' || this.#closing === 'park';
    const message = isLeaving || this.#held ? undefined : this.#queue.shift();
    if (message) {
      this.#begin(message);
    } else if (isLeaving || (this.#closing === 'input_closed' && this.#backgroundAgents === 0)) {
      this.#session.end();
    }
  }

  #begin(message: Command<'message'>): void {
    this.#messagePending = true;
    this.#anyMessage = true;
    this.#sentinel.clear();
    this.#session.begin({
      uuid: message.uuid ?? this.#outside.newUuid(),
      content: message.content,
      attachments: message.attachments ?? [],
    });
  }

  #take(fact: RuntimeFact): void {
    switch (fact.type) {
      case 'turn_started':
        this.#turn = fact.origin;
        // A message's turn has cleared it before the agent got the message.
        if (fact.origin === 'background_task') this.#sentinel.clear();
        this.#output.begin();
        return;
      case 'turn_ended':
        this.#endTurn(fact);
        this.#anyTurn = true;
        return;
      case 'background_tasks':
        this.#backgroundAgents = fact.open.filter((task) => task.kind === 'local_agent').length;
        break;
      case 'session_id_update':
        this.#sessionId = fact.sessionId;
        break;
      default:
        break;
    }
    this.#output.take(fact);
  }

  #endTurn(turn: TurnEnded): void {
    this.#output.end(turn);
    if (this.#parking && (this.#parking.how === 'interrupted' || turn.deferred === true)) {
      // The turn goes on in the next life of the session, so it is not complete.
      this.#outside.emit(this.#parking);
      this.#messagePending = false;
      this.#turn = 'none';
      this.#session.end();
      return;
    }
    const needsInput = this.#sentinel.read();
    if (needsInput) {
      this.#held = true;
      this.#outside.emit(needsInput);
    }
    this.#outside.emit({ type: 'turn_complete', sessionId: turn.sessionId });
    if (turn.result.origin === 'message') this.#messagePending = false;
    this.#turn = this.#messagePending ? 'message' : 'none';
    // Later, because the adapter may still have facts of this turn to tell.
    setImmediate(() => this.#advance());
  }

  /** A question that the agent left in a turn which it did not live to end; what an ended turn left is told already. */
  #readAtExit({ needsInputSentinelPath: path }: RuntimeExit): void {
    if (path === undefined || (this.#turn === 'none' && !this.#messagePending)) return;
    const needsInput = this.#sentinel.read();
    if (needsInput) this.#outside.emit(needsInput);
  }

  #error(message: string): void {
    this.#outside.emit({ type: this.#runtime.speaksOfLogin(message) ? 'auth_error' : 'error', message });
  }

  async #watchExit(): Promise<void> {
    const exit = await this.#session.exited;
    if (this.#closing === 'shutdown') return;
    this.#requests.close('The agent is gone.');
    this.#output.cutOff('The agent is gone.');
    this.#readAtExit(exit);
    const wasOpen = this.#sessionId !== null || this.#anyTurn || !this.#anyMessage;
    if (this.#closing !== null && !this.#messagePending && wasOpen && exit.error === undefined) {
      this.#outside.emit({ type: 'complete', sessionId: this.#sessionId });
      this.#finish(ExitCode.success);
      return;
    }
    this.#error(deathSentence(this.#runtime.name, exit));
    this.#outside.emit({ type: 'shutdown', reason: 'agent_exited' });
    const neverStarted = this.#sessionId === null && exit.exitCode === null && exit.signal === null;
    this.#finish(neverStarted ? ExitCode.unavailable : ExitCode.failure);
  }
}

function whyNotParked(mayPark: boolean, isOpen: boolean): string {
  if (!mayPark) return 'Only a detached runner can be parked.';
  if (!isOpen) return 'There is no open request with this id; it is unknown or settled already.';
  return 'The runner is ending already.';
}
