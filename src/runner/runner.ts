import { type Command, readCommand } from '../protocol/command.js';
import { cutText } from '../protocol/cut-text.js';
import { errorSentence } from '../protocol/error-sentence.js';
import type { EventBody } from '../protocol/event.js';
import { ExitCode } from '../protocol/exit-code.js';
import type {
  Launch,
  Runtime,
  RuntimeExit,
  RuntimeFact,
  RuntimeSession,
  TurnEnded,
} from '../runtimes/runtime.js';
import { refusedCommand, unreadCommand, whyNotControlled } from './command-refusal.js';
import { deathSentence } from './death-sentence.js';
import { errorEvent, withLoginHint } from './login-hint.js';
import { NeedsInputSentinel } from './needs-input-sentinel.js';
import { isResponse, OpenRequests, requestIdOf } from './open-requests.js';
import { whyNotParked } from './park-refusal.js';
import type { RunnerChannel, RunnerWorld } from './runner-channel.js';
import { ToldCalls } from './told-calls.js';
import { TurnOutput } from './turn-output.js';

type Closing = 'stop' | 'input_closed' | 'park' | 'shutdown';

/**
 * One conversation with one agent. A message waits in `#queue` until no turn runs; then its turn runs to its one result.
 * Turns that the agent starts by itself (a background task woke it) run in between and have results of their own. After a
 * turn that left a needs-input file the queue waits for the next message, which is the answer and goes first. `stop` and a closed input let the running turn finish; a shutdown cuts it off, with its questions left to who keeps them.
 */
export class Runner {
  readonly done: Promise<ExitCode>;
  readonly #runtime: Runtime;
  readonly #launch: Launch;
  readonly #world: RunnerWorld;
  readonly #channel: RunnerChannel;
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
  #awaitsAnswer = false;
  #closing: Closing | null = null;
  #backgroundAgents = 0;
  #backgroundTasks = 0;
  #sessionId: string | null = null;
  #parking: EventBody<'parked'> | null = null;
  readonly #told = new ToldCalls();
  #hasFailed = false;

  constructor(
    runtime: Runtime,
    launch: Launch,
    { world, channel }: { readonly world: RunnerWorld; readonly channel: RunnerChannel },
  ) {
    this.#runtime = runtime;
    this.#launch = launch;
    this.#world = world;
    this.#channel = channel;
    this.#output = new TurnOutput(channel);
    this.#sentinel = new NeedsInputSentinel(runtime.needsInputSentinelPath(launch));
    this.#requests = new OpenRequests({
      newId: world.newRequestId,
      deadlineMs: channel.deadlineMs,
      runtime,
      told: this.#told,
      emit: (event) => {
        this.#output.flushText();
        channel.emit(event);
      },
    });
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    channel.emit({
      type: 'ready',
      conversationId: launch.conversationId,
      cwd: launch.cwd,
      resuming: launch.resume !== undefined,
      model: launch.model ?? null,
      runtime: runtime.name,
    });
    this.#session = runtime.open(launch, {
      emit: (fact) =>
        this.#take(
          fact.type === 'auth_error' ? { ...fact, message: withLoginHint(fact.message, launch) } : fact,
        ),
      ask: async (kind, request, signal) =>
        channel.dialect.consent(kind, request) ?? (await this.#requests.ask(kind, request, signal)),
      ...world,
      whenWritable: channel.whenWritable,
      comments: channel.comments,
    });
    void this.#watchExit();
  }

  get isAsking(): boolean {
    return this.#requests.size > 0 || this.#awaitsAnswer;
  }

  /** Whether nothing is under way and nobody is asked; a session that rests can be taken up by another process. */
  get isIdle(): boolean {
    const hasWork = this.#turn !== 'none' || this.#messagePending || this.#queue.length > 0;
    return !hasWork && this.#requests.size === 0 && this.#backgroundTasks === 0 && this.#closing === null;
  }

  /** One parsed line of input. */
  async handle(line: unknown): Promise<void> {
    const reading = readCommand(this.#channel.dialect.command(line));
    if (!reading.ok) {
      this.refuse(line, reading.error);
      return;
    }
    const { command } = reading;
    if (this.#channel.receipts.repeats(command)) return;
    const answers = isResponse(command) ? requestIdOf(command) : null;
    const told = command.type === 'withdraw' ? command.requestId : answers;
    if (this.#isLetGo && told !== null) {
      // A receipt would say that the agent hears of it, and this one hears nothing any more.
      this.#refused(command, 'The agent is being let go; its next process has to be told.', told);
      return;
    }
    const error = isResponse(command) ? this.#requests.problemWith(command) : null;
    if (answers !== null && error !== null) {
      this.#refused(command, error, answers);
      return;
    }
    this.#channel.receipts.accept(command, answers);
    await this.#obey(command);
  }

  /** A line that is no JSON, or too long to be read. */
  badLine(message: string, line: string): void {
    this.#channel.emit({ type: 'json_parse_error', message, line: cutText(line, 200) });
  }

  /** A command that is refused before it is read. */
  refuse(line: unknown, error: string): void {
    this.#channel.emit(unreadCommand(line, error));
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
    // What the agent says from here on is about its own end.
    if (this.#isCutOff) this.#output.cutOff('The runner is shutting down.');
    // Interrupted before the requests are rejected: an agent that hears a refusal first asks the model what to do.
    await this.#session[Symbol.asyncDispose]();
    this.#requests.close('The runner is shutting down.');
    this.#output.cutOff('The runner is shutting down.');
    this.#readAtExit(await this.#session.exited);
    this.#channel.emit({ type: 'shutdown', reason });
    this.#finish(code);
  }

  /** A bug of ours: said once, with the reason, then everything ends. What goes wrong on the way out changes nothing. */
  async fail(thrown: unknown): Promise<void> {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#world.log(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    this.#error(errorSentence(thrown));
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
      case 'withdraw':
        if (!this.#requests.withdraw(command.requestId, command))
          this.#refused(command, whyNotParked(true, false), command.requestId);
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
    if (this.#awaitsAnswer) {
      this.#awaitsAnswer = false;
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
      this.#channel.emit({
        type: 'warning',
        message: `Stopped with ${this.#queue.length} messages not yet begun; they are dropped.`,
      });
      this.#queue.length = 0;
    }
    this.#advance();
  }

  async #interrupt(command: Command<'interrupt'>): Promise<void> {
    if (this.#turn === 'none') {
      if (!this.#channel.dialect.mayInterruptIdle) return this.#refused(command, 'No turn is running.');
      return this.#channel.emit({ type: 'interrupted' });
    }
    // Without a bound on purpose: only the agent can say that its turn has ended; a parent can still stop or kill.
    await this.#session.interrupt();
    this.#requests.rejectAll('The turn was interrupted.');
  }

  /** Frees the process while the question stays open: the call is deferred where that works, else interrupted. */
  async #park(command: Command<'park'>): Promise<void> {
    const { requestId } = command;
    const request = this.#requests.find(requestId);
    if (!this.#channel.mayPark || !request || this.#closing !== null) {
      this.#refused(command, whyNotParked(this.#channel.mayPark, request !== undefined), requestId);
      return;
    }
    // Not a moment later than it has to be: a message that comes after the park is for the next runner.
    if (this.#told.isAny) await this.#told.settled();
    if (this.#closing !== null || this.#requests.find(requestId) === undefined) return;
    // Of two deferred calls only the last survives, and a sub-agent's is lost (both measured).
    const isAlone = this.#requests.size === 1 && request.agentId === undefined;
    const how = isAlone && request.canBeDeferred ? 'deferred' : 'interrupted';
    this.#closing = 'park';
    this.#parking = { type: 'parked', requestId, toolUseId: request.toolUseId, how };
    this.#output.leaveOpen(this.#requests.toolUseIds);
    if (how === 'deferred') this.#requests.park(requestId);
    else await this.#session.interrupt();
  }

  async #control(command: Parameters<RuntimeSession['control']>[0]): Promise<void> {
    const why = whyNotControlled(command, { runtime: this.#runtime, isInTurn: this.#turn !== 'none' });
    if (why !== null) {
      this.#refused(command, why);
      return;
    }
    try {
      const fact = await this.#session.control(command);
      if (fact) this.#take(fact);
    } catch (error) {
      this.#refused(command, errorSentence(error));
    }
  }

  #refused(
    command: { readonly type: string; readonly commandId?: string | undefined },
    error: string,
    requestId: string | null = null,
    more: { readonly later?: true } = {},
  ): void {
    this.#channel.emit(refusedCommand(command, error, { requestId: requestId ?? undefined, ...more }));
  }

  /** Begins the next turn, or ends the session when there is nothing left to do. */
  #advance(): void {
    if (this.#turn !== 'none' || this.#messagePending || this.#awaitsAnswer) {
      if (!(this.#awaitsAnswer && this.#closing !== null)) return;
    }
    const isLeaving = this.#closing === 'stop' || this.#closing === 'park';
    const message = isLeaving || this.#awaitsAnswer ? undefined : this.#queue.shift();
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
      uuid: message.uuid ?? this.#world.newUuid(),
      content: message.content,
      attachments: message.attachments ?? [],
    });
  }

  #take(fact: RuntimeFact): void {
    if (this.#told.take(fact) === 'turn is over') void this.#session.interrupt();
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
        this.#backgroundTasks = fact.open.length;
        break;
      case 'session_id_update':
        this.#sessionId = fact.sessionId;
        break;
      default:
        break;
    }
    this.#output.take(this.#channel.dialect.fact(fact));
  }

  /** Whether the turn is not over although its process is: somebody keeps it, with its questions, for the next one. */
  get #isCutOff(): boolean {
    return this.#closing === 'shutdown' && this.#channel.mayPark && this.#parking === null;
  }

  /** Whether nothing that the agent asked can be answered here any more. */
  get #isLetGo(): boolean {
    return this.#isCutOff || this.#closing === 'park';
  }

  #endTurn(turn: TurnEnded): void {
    if (turn.interrupted && this.#isCutOff) return;
    this.#output.end(this.#channel.dialect.turn(turn));
    if (this.#parking && (this.#parking.how === 'interrupted' || turn.deferred === true)) {
      // The turn goes on in the next life of the session, so it is not complete.
      this.#channel.emit(this.#parking);
      this.#messagePending = false;
      this.#turn = 'none';
      this.#session.end();
      return;
    }
    const needsInput = this.#sentinel.read();
    if (needsInput) {
      this.#awaitsAnswer = true;
      this.#channel.emit(needsInput);
    }
    this.#channel.emit({ type: 'turn_complete', sessionId: turn.sessionId });
    if (turn.result.origin === 'message') this.#messagePending = false;
    this.#turn = this.#messagePending ? 'message' : 'none';
    // Later, because the adapter may still have facts of this turn to tell.
    setImmediate(() => this.#advance());
  }

  /** A question that the agent left in a turn which it did not live to end; what an ended turn left is told already. */
  #readAtExit({ needsInputSentinelPath: path }: RuntimeExit): void {
    if (path === undefined || (this.#turn === 'none' && !this.#messagePending)) return;
    const needsInput = this.#sentinel.read();
    if (needsInput) this.#channel.emit(needsInput);
  }

  #error(message: string): void {
    this.#channel.emit(errorEvent(message, { runtime: this.#runtime, launch: this.#launch }));
  }

  async #watchExit(): Promise<void> {
    const exit = await this.#session.exited;
    if (this.#closing === 'shutdown') return;
    this.#requests.close('The agent is gone.');
    this.#output.cutOff('The agent is gone.');
    this.#readAtExit(exit);
    const wasOpen = this.#sessionId !== null || this.#anyTurn || !this.#anyMessage;
    if (this.#closing !== null && !this.#messagePending && wasOpen && exit.error === undefined) {
      this.#channel.emit({ type: 'complete', sessionId: this.#sessionId });
      this.#finish(ExitCode.success);
      return;
    }
    this.#error(deathSentence(this.#runtime.name, exit));
    this.#channel.emit({ type: 'shutdown', reason: 'agent_exited' });
    const neverStarted = this.#sessionId === null && exit.exitCode === null && exit.signal === null;
    this.#finish(neverStarted ? ExitCode.unavailable : ExitCode.failure);
  }
}
