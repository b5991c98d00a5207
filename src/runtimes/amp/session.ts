import { plainText } from '../../domain/words/plain-text.js';
import type { PipedChild } from '../../process/children/child.js';
import { ChildOutput } from '../../process/children/child-output.js';
import { readLines } from '../../process/children/read-lines.js';
import { isSentinelThere } from '../../process/files/sentinel-file.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { ClaudeTranslator } from '../claude/translate.js';
import { NeedsInputHelper } from '../needs-input-helper.js';
import { processEvidence } from '../process-evidence.js';
import type {
  Launch,
  RuntimeExit,
  RuntimeFact,
  RuntimeHost,
  RuntimeSession,
  TurnEnded,
  TurnInput,
} from '../runtime.js';
import { TurnProcess } from '../turn-process.js';
import { unrecognized } from '../unrecognized.js';
import { wholePrompt } from '../whole-prompt.js';
import { ampArguments, ampEnv, findAmp } from './command.js';
import { readAmpLine } from './wire.js';

const mostLineBytes = 64 * 2 ** 20;
const logLimit = 2 ** 20;
// Without a login Amp waits for a browser for ever (measured), and says nothing on its output.
const usualSilenceMs = 120_000;

/** A conversation with Amp: every turn is a process of its own, and its thread is kept by Amp's service. */
export class AmpSession implements RuntimeSession {
  readonly exited: Promise<RuntimeExit>;
  readonly #launch: Launch;
  readonly #host: RuntimeHost;
  readonly #sentinel: string;
  readonly #silenceMs: number;
  readonly #helper: NeedsInputHelper;
  readonly #translator: ClaudeTranslator;
  readonly #process: TurnProcess;
  #leave: (exit: RuntimeExit) => void = () => {};
  #turn: Promise<void> = Promise.resolve();
  #isInterrupted = false;
  /** Why a process that never said anything was ended. */
  #mute: string | null = null;

  constructor(
    launch: Launch,
    host: RuntimeHost,
    options: { readonly sentinel: string; readonly silenceMs?: number },
  ) {
    this.#launch = launch;
    this.#host = host;
    this.#sentinel = options.sentinel;
    this.#silenceMs = options.silenceMs ?? usualSilenceMs;
    this.#helper = new NeedsInputHelper(launch);
    this.#process = new TurnProcess(launch, host);
    const { limits, permissionMode } = launch;
    this.#translator = new ClaudeTranslator({
      now: host.now,
      limits,
      permissionMode,
      expectsStructuredOutput: false,
    });
    this.exited = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  begin(turn: TurnInput): void {
    this.#isInterrupted = false;
    this.#turn = this.#run(turn);
  }

  async interrupt(): Promise<void> {
    this.#isInterrupted = true;
    this.#process.cutOff();
    await this.#turn;
  }

  async control(): Promise<never> {
    throw new Failure('unsupported_by_runtime', 'Amp takes its message and nothing else.');
  }

  end(): void {
    void this.#turn.then(() => this.#gone({ exitCode: 0, signal: null, oom: false }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
    this.#gone({ exitCode: 0, signal: null, oom: false });
  }

  async #run(turn: TurnInput): Promise<void> {
    this.#emit(this.#translator.begin({ uuid: turn.uuid, messageUuid: turn.uuid }));
    const warning = await this.#helper.ready;
    if (warning !== undefined) this.#emit([{ type: 'warning', message: warning }]);
    const child = this.#isInterrupted ? null : this.#start(turn);
    if (!child) {
      if (this.#isInterrupted) this.#emit(this.#cutOff(turn, 'The turn was interrupted.'));
      return;
    }
    const complaint = new ChildOutput(child.stderr, {
      limit: logLimit,
      take: (line) => this.#host.log(line.trimEnd()),
    });
    // Together: what a process leaves behind may hold its output open.
    const [ended, exit] = await Promise.all([this.#follow(child), this.#process.ended(child)]);
    await complaint.finish();
    this.#emit([{ type: 'agent_exited', ...exit }, processEvidence('amp', 'exited', this.#host.now())]);
    const words = this.#mute ?? plainText(complaint.tail).trim();
    if (this.#isInterrupted) this.#emit(this.#cutOff(turn, 'The turn was interrupted.'));
    else if (exit.signal !== null || this.#translator.sessionId === null)
      this.#gone({ ...exit, ...(words === '' ? {} : { error: words }) });
    else if (ended) this.#emit([ended]);
    else this.#emit(this.#cutOff(turn, words === '' ? `Amp ended with exit code ${exit.exitCode}.` : words));
  }

  #start(turn: TurnInput): PipedChild | null {
    const { marker, now } = this.#host;
    const { cwd, env, resume, container } = this.#launch;
    const images = turn.attachments.filter(({ type }) => type === 'image').length;
    if (images > 0)
      this.#emit([{ type: 'warning', message: `Amp takes no images here; ${images} are left out.` }]);
    try {
      const command = {
        file: container ? 'amp' : findAmp(env),
        args: ampArguments(this.#translator.sessionId ?? resume ?? null),
        cwd,
        env: ampEnv(this.#launch, {
          [marker.name]: marker.value,
          HANDRAISE_NEEDS_INPUT_FILE: this.#sentinel,
        }),
      };
      const child = this.#process.start(command, wholePrompt(turn, this.#launch));
      this.#emit([processEvidence('amp', 'sign_of_life', now())]);
      return child;
    } catch (error) {
      this.#gone({ exitCode: null, signal: null, oom: false, error: errorSentence(error) });
      return null;
    }
  }

  /** Tells what the process says; the end of its turn is told once the process is gone. */
  async #follow(child: PipedChild): Promise<TurnEnded | null> {
    let ended: TurnEnded | null = null;
    const isMute = setTimeout(() => {
      this.#mute = `Amp said nothing for ${Math.round(this.#silenceMs / 1000)} s. It may wait for a login: sign in with "amp login", or set AMP_API_KEY.`;
      this.#process.cutOff();
    }, this.#silenceMs);
    for await (const line of readLines(child.stdout, { maxBytes: mostLineBytes })) {
      clearTimeout(isMute);
      const facts = line.kind === 'line' ? this.#factsOf(line.text) : [];
      ended = facts.find((fact) => fact.type === 'turn_ended') ?? ended;
      this.#emit(facts.filter((fact) => fact.type !== 'turn_ended'));
      await this.#host.whenWritable();
    }
    clearTimeout(isMute);
    return ended;
  }

  #factsOf(line: string): RuntimeFact[] {
    if (line.trim() === '') return [];
    try {
      return this.#translator.message(readAmpLine(line));
    } catch {
      return [unrecognized(line)];
    }
  }

  /** The end of a turn whose process did not tell it. */
  #cutOff({ uuid }: TurnInput, why: string): RuntimeFact[] {
    const interrupted = this.#isInterrupted;
    const sessionId = this.#translator.sessionId ?? this.#launch.conversationId;
    return [
      ...this.#translator.tools.endAll('everybody', why),
      {
        type: 'turn_ended',
        sessionId,
        interrupted,
        result: {
          success: false,
          subtype: interrupted ? 'error_interrupted' : 'error_exit_code',
          cost: null,
          turns: 1,
          usage: null,
          origin: 'message',
          errors: [why],
          ...(interrupted ? { errorKind: 'interrupted' } : {}),
          messageUuid: uuid,
        },
      },
    ];
  }

  #emit(facts: readonly RuntimeFact[]): void {
    for (const fact of facts) this.#host.emit(fact);
  }

  #gone(exit: RuntimeExit): void {
    this.#helper[Symbol.dispose]();
    this.#leave(isSentinelThere(this.#sentinel) ? { ...exit, needsInputSentinelPath: this.#sentinel } : exit);
  }
}
