import { plainText } from '../../domain/words/plain-text.js';
import { ChildOutput } from '../../process/children/child-output.js';
import { isSentinelThere } from '../../process/files/sentinel-file.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import type { AgentExit } from '../../protocol/run.js';
import { NeedsInputHelper } from '../needs-input-helper.js';
import { OutputWatch } from '../output-watch.js';
import { processEvidence } from '../process-evidence.js';
import type { Launch, RuntimeExit, RuntimeHost, RuntimeSession, TurnInput } from '../runtime.js';
import { TurnProcess } from '../turn-process.js';
import { wholePrompt } from '../whole-prompt.js';
import { execEnv, invocationOf } from './command.js';
import { resultOf } from './translate.js';

const textLimit = 4 * 2 ** 20;
const logLimit = 2 ** 20;

/** A conversation with a command: every turn is a process of its own, which sees its prompt and the workspace. */
export class ExecSession implements RuntimeSession {
  readonly exited: Promise<RuntimeExit>;
  readonly #launch: Launch;
  readonly #host: RuntimeHost;
  readonly #sentinel: string;
  readonly #helper: NeedsInputHelper;
  readonly #process: TurnProcess;
  #leave: (exit: RuntimeExit) => void = () => {};
  #turn: Promise<void> = Promise.resolve();
  #interrupted = false;

  constructor(launch: Launch, host: RuntimeHost, sentinel: string) {
    this.#launch = launch;
    this.#host = host;
    this.#sentinel = sentinel;
    this.#helper = new NeedsInputHelper(launch);
    this.#process = new TurnProcess(launch, host);
    this.exited = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  begin(turn: TurnInput): void {
    this.#interrupted = false;
    this.#turn = this.#run(turn);
  }

  async interrupt(): Promise<void> {
    this.#interrupted = true;
    this.#process.cutOff();
    await this.#turn;
  }

  async control(): Promise<never> {
    throw new Failure('unsupported_by_runtime', 'A command takes its prompt and nothing else.');
  }

  end(): void {
    void this.#turn.then(() => this.#gone({ exitCode: 0, signal: null, oom: false }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
    this.#gone({ exitCode: 0, signal: null, oom: false });
  }

  async #run(turn: TurnInput): Promise<void> {
    const { emit, now, log } = this.#host;
    const startedAt = now();
    emit({ type: 'turn_started', origin: 'message' });
    const warning = await this.#helper.ready;
    if (warning !== undefined) emit({ type: 'warning', message: warning });
    const child = this.#interrupted ? null : this.#start(turn);
    if (!child) {
      // Interrupted before there was anything to interrupt.
      if (this.#interrupted) this.#endTurn(turn, startedAt, { exit: unstarted, text: '', complaint: '' });
      return;
    }
    const { observableIdleSeconds: seconds } = this.#launch;
    using watch = seconds === undefined ? undefined : new OutputWatch(this.#host, seconds * 1000);
    const see = (printed: string) => watch?.wrote(printed);
    const text = new ChildOutput(child.stdout, {
      see,
      limit: textLimit,
      take: (content) => emit({ type: 'text_delta', content }),
      whenWritable: this.#host.whenWritable,
    });
    const complaint = new ChildOutput(child.stderr, {
      see,
      limit: logLimit,
      take: (line) => log(line.trimEnd()),
    });
    const exit = await this.#process.ended(child);
    await Promise.all([text.finish(), complaint.finish()]);
    watch?.[Symbol.dispose]();
    if (text.isCut)
      emit({ type: 'warning', message: `The command printed more than ${textLimit} characters.` });
    emit({ type: 'agent_exited', ...exit });
    emit(processEvidence('exec', 'exited', now()));
    if (exit.signal !== null && !this.#interrupted) this.#gone(exit);
    else this.#endTurn(turn, startedAt, { exit, text: plainEnd(text), complaint: plainEnd(complaint) });
  }

  #start(turn: TurnInput) {
    const { emit, marker, now } = this.#host;
    const { cwd } = this.#launch;
    const images = turn.attachments.filter(({ type }) => type === 'image').length;
    if (images > 0) emit({ type: 'warning', message: `A command takes no images; ${images} are left out.` });
    const { file, args, stdin } = invocationOf(this.#launch, wholePrompt(turn, this.#launch));
    const env = execEnv(this.#launch, {
      [marker.name]: marker.value,
      HANDRAISE_NEEDS_INPUT_FILE: this.#sentinel,
    });
    try {
      const child = this.#process.start({ file, args, cwd, env }, stdin ?? '');
      emit(processEvidence('exec', 'sign_of_life', now()));
      return child;
    } catch (error) {
      this.#gone({ ...unstarted, error: errorSentence(error) });
      return null;
    }
  }

  #endTurn(
    { uuid }: TurnInput,
    startedAt: number,
    ended: { readonly exit: AgentExit; readonly text: string; readonly complaint: string },
  ): void {
    const result = resultOf({
      ...ended,
      interrupted: this.#interrupted,
      readsExitCodes: this.#launch.readsExitCodes ?? false,
    });
    // Nothing else in the thread says why it failed: a command prints its errors on stderr, which is no text of the agent.
    if (!result.success && !this.#interrupted)
      this.#host.emit({ type: 'error', message: result.errors?.join('\n') ?? '' });
    this.#host.emit({
      type: 'turn_ended',
      sessionId: this.#launch.conversationId,
      interrupted: this.#interrupted,
      result: {
        ...result,
        cost: null,
        turns: 1,
        usage: null,
        origin: 'message',
        messageUuid: uuid,
        durationMs: this.#host.now() - startedAt,
      },
    });
  }

  #gone(exit: RuntimeExit): void {
    this.#helper[Symbol.dispose]();
    this.#leave(isSentinelThere(this.#sentinel) ? { ...exit, needsInputSentinelPath: this.#sentinel } : exit);
  }
}

function plainEnd({ tail }: ChildOutput): string {
  return plainText(tail).trim();
}

const unstarted: AgentExit = { exitCode: null, signal: null, oom: false };
