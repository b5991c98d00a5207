import { setTimeout as delay } from 'node:timers/promises';
import type { PipedChild } from '../../process/children/child.js';
import { readLines } from '../../process/children/read-lines.js';
import { isSentinelThere } from '../../process/files/sentinel-file.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { PermissionMode } from '../../protocol/posture.js';
import type { TurnErrorKind } from '../../protocol/turn-result.js';
import { AgentProcess } from '../agent-process.js';
import { attachedFile } from '../attached-file.js';
import { agentFolder } from '../launch-container.js';
import { NeedsInputHelper } from '../needs-input-helper.js';
import { expectMayBypass } from '../root-bypass.js';
import type {
  ControlCommand,
  Launch,
  RuntimeExit,
  RuntimeFact,
  RuntimeHost,
  RuntimeSession,
  TurnInput,
} from '../runtime.js';
import { WorkEvidence } from '../work-evidence.js';
import { acpAgent } from './agents.js';
import { offeredModels } from './choices.js';
import { acpCommand, acpEnv, expectOnlyApproved, openingWords } from './command.js';
import { CommandSweep } from './command-sweep.js';
import { AcpConnection, AgentRefusal } from './connection.js';
import { choose, chooseModel, modeOf, type Opening, openAcpSession } from './opening.js';
import { AcpRequests } from './requests.js';
import { SilenceWatch } from './silence-watch.js';
import { AcpTranslator } from './translate.js';
import { acpErrorKind, loginSentence } from './turn-error.js';
import { WirePromptEnd } from './wire.js';

const maxLine = 64 * 2 ** 20;
const usualOpeningMs = 120_000;
const usualSilenceMs = 15 * 60_000;
const drainMs = 1000;
const graceMs = { ask: 4000, stdin: 4000, sigterm: 4000 };

type Failed = { readonly errors: string[]; readonly errorKind: TurnErrorKind };

export interface AcpSessionOptions {
  readonly sentinel: string;
  /** How long an agent may say nothing while it works. */
  readonly silenceMs?: number;
  /** How long it may take to open a session. */
  readonly openingMs?: number;
}

/** One session of one agent that speaks ACP, with a turn for each message. */
export class AcpSession implements RuntimeSession {
  readonly exited: Promise<RuntimeExit>;
  readonly #name: string;
  readonly #launch: Launch;
  readonly #host: RuntimeHost;
  readonly #options: AcpSessionOptions;
  readonly #translator: AcpTranslator;
  readonly #evidence: WorkEvidence;
  readonly #process: AgentProcess;
  readonly #connection: AcpConnection;
  readonly #requests: AcpRequests;
  readonly #sweep: CommandSweep;
  readonly #opened: Promise<Opening | null>;
  readonly #helper: NeedsInputHelper;
  readonly #silenceMs: number;
  #mode: PermissionMode;
  #turn: Promise<void> = Promise.resolve();
  #watch: SilenceWatch | null = null;
  /** Why the running prompt was cancelled by us. */
  #stopping: 'interrupt' | 'nobody' | 'silence' | null = null;
  #isFirst = true;
  #ending = false;
  #isGone = false;
  #failure: string | undefined;

  constructor(name: string, launch: Launch, { host, ...options }: AcpSessionOptions & { host: RuntimeHost }) {
    expectOnlyApproved(name, launch);
    this.#name = name;
    this.#launch = launch;
    this.#host = host;
    this.#options = options;
    this.#silenceMs = options.silenceMs ?? usualSilenceMs;
    this.#helper = new NeedsInputHelper(launch);
    this.#mode = launch.permissionMode;
    this.#translator = new AcpTranslator({
      now: host.now,
      cwd: agentFolder(launch),
      warnsInText: acpAgent(name).warnsInText === true,
    });
    this.#evidence = new WorkEvidence(`acp:${name}`, host.now);
    this.#process = new AgentProcess(launch, host);
    const child = this.#process.start({
      ...acpCommand(name, launch),
      cwd: launch.cwd,
      env: acpEnv(name, launch, { [host.marker.name]: host.marker.value }),
    });
    this.#sweep = new CommandSweep(child.identity, host.marker);
    this.#connection = new AcpConnection(child.stdin, {
      updated: (params) => this.#emit(this.#translator.updated(params)),
      permission: async (request, signal) => await this.#requests.permission(request, signal),
      elicitation: async (request, signal) => await this.#requests.elicitation(request, signal),
      strange: (raw) => this.#emit(this.#translator.strange(raw)),
    });
    this.#requests = new AcpRequests({
      agent: name,
      launch,
      host,
      translator: this.#translator,
      mode: () => this.#mode,
      emit: (facts) => this.#emit(facts),
      stop: () => this.#cancel('nobody'),
    });
    this.#opened = this.#open();
    this.exited = this.#run(readLines(child.stdout, { maxBytes: maxLine }));
    void closeAfter(child);
  }

  begin(turn: TurnInput): void {
    this.#stopping = null;
    this.#emit(this.#translator.begin(turn.uuid));
    this.#turn = this.#converse(turn);
  }

  async interrupt(): Promise<void> {
    this.#cancel('interrupt');
    // Without a bound on purpose (decision 0007): only the agent knows that its turn has ended.
    await this.#turn;
  }

  async control(command: ControlCommand): Promise<RuntimeFact | null> {
    const opening = await this.#opened;
    if (!opening) return null;
    const { session, opened } = opening;
    switch (command.type) {
      case 'set_model': {
        const { sessionId } = opened;
        const place = { name: this.#name, connection: this.#connection, session, sessionId };
        await chooseModel(place, command.model);
        return { type: 'model_changed', model: command.model };
      }
      case 'set_permission_mode':
        return await this.#setMode(command.permissionMode, opening);
      case 'get_supported_models':
        return { type: 'supported_models', models: offeredModels(session).map((value) => ({ value })) };
      default:
        return null;
    }
  }

  end(): void {
    this.#ending = true;
    void this.#process.end(graceMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending = true;
    await this.#process.end(graceMs, async () => {
      this.#cancel('interrupt');
      await this.#turn;
      this.#process.closeInput();
    });
    await this.exited;
  }

  /** Opens the session; a failure ends the agent, and is told as the reason of its end. */
  async #open(): Promise<Opening | null> {
    const { openingMs = usualOpeningMs } = this.#options;
    const late = AbortSignal.timeout(openingMs);
    try {
      const opening = await Promise.race([
        openAcpSession(this.#name, this.#launch, this.#connection),
        aborted(late),
      ]);
      this.#emit([this.#evidence.report('sign_of_life', 'initialize')]);
      const shown = await this.#helper.ready;
      const notes = shown === undefined ? opening.warnings : [...opening.warnings, shown];
      this.#emit(notes.map((message) => ({ type: 'warning', message })));
      this.#translator.opened(opening.opened);
      return opening;
    } catch (error) {
      this.#failure ??= late.aborted
        ? `acp:${this.#name} opened no session in ${openingMs / 1000} s. It may wait for a login: start it in a terminal and sign in there`
        : errorSentence(error);
      await this.#process.end(graceMs);
      return null;
    }
  }

  async #converse(turn: TurnInput): Promise<void> {
    const opening = await this.#opened;
    if (!opening) return;
    const words = this.#firstWords();
    let blocks: object[] | null = [...words, ...blocksOf(turn, opening)];
    let failure: Failed | null = null;
    while (blocks !== null && this.#stopping === null) {
      const ended = await this.#prompt(opening, blocks);
      failure = ended.failure;
      blocks = ended.isOver ? null : this.#followUp(ended.stopReason);
      if (blocks === null) break;
      this.#stopping = null;
      this.#translator.goesOn();
    }
    // An agent that died in its turn has not ended it.
    if (this.#isGone) return;
    this.#emit(this.#translator.ended(this.#verdict(failure)));
  }

  /** What only the first message of a session can carry; a session that is taken up was told before. */
  #firstWords(): object[] {
    if (!this.#isFirst || this.#launch.resume !== undefined) return [];
    this.#isFirst = false;
    const { words, warnings } = openingWords(acpAgent(this.#name), this.#launch);
    this.#emit(warnings.map((message) => ({ type: 'warning', message })));
    return words === '' ? [] : [{ type: 'text', text: words }];
  }

  async #prompt(
    { opened: { sessionId }, agent }: Opening,
    prompt: readonly object[],
  ): Promise<{ readonly failure: Failed | null; readonly isOver: boolean; readonly stopReason: string }> {
    const leaves = acpAgent(this.#name).leavesCommands === true;
    if (leaves) this.#sweep.remember();
    this.#requests.promptBegins();
    this.#emit(this.#translator.announced());
    using watch = new SilenceWatch({
      limitMs: this.#silenceMs,
      now: this.#host.now,
      isBusy: () => this.#requests.size > 0 || this.#translator.tools.openCalls('').length > 0,
      silent: () => this.#cancel('silence'),
      deaf: () => {
        this.#failure = `${this.#silence()} It did not stop when it was told to, so it was ended`;
        void this.#process.end(graceMs);
      },
    });
    this.#watch = watch;
    try {
      const end = WirePromptEnd.parse(
        await this.#connection.request('session/prompt', { sessionId, prompt }),
      );
      this.#translator.promptEnded(end);
      return { failure: this.#translator.failureOf(end), isOver: false, stopReason: end.stopReason };
    } catch (error) {
      const code = error instanceof AgentRefusal ? error.code : 0;
      const message = errorSentence(error);
      const errorKind = acpErrorKind({ code, message });
      if (errorKind === 'auth' && this.#stopping === null)
        this.#emit([
          { type: 'auth_error', message: loginSentence(`acp:${this.#name}`, { agent, detail: message }) },
        ]);
      return { failure: { errors: [message], errorKind }, isOver: true, stopReason: '' };
    } finally {
      this.#watch = null;
      this.#requests.promptEnds();
      if (leaves && this.#stopping !== null) await this.#sweep.endNew();
    }
  }

  /** What the model has yet to hear, or has to hear again because its turn ended with a refusal. */
  #followUp(stopReason: string): object[] | null {
    if (this.#stopping === 'interrupt' || this.#stopping === 'silence' || this.#ending) return null;
    const words = this.#requests.takeUntold();
    const isCutShort =
      !this.#translator.heardSinceRefusal && (stopReason === 'end_turn' || stopReason === 'cancelled');
    if (words.length === 0 && isCutShort)
      words.push('The person refused this. Go on without it, or say why you cannot.');
    return words.length === 0 ? null : [{ type: 'text', text: words.join('\n\n') }];
  }

  #verdict(failure: Failed | null): Failed | null {
    if (this.#stopping === 'silence')
      return {
        errors: [`${this.#silence()} It may be trying again and again to reach the server of its model.`],
        errorKind: 'network',
      };
    if (this.#stopping === 'interrupt')
      return { errors: ['The turn was interrupted.'], errorKind: 'interrupted' };
    return failure;
  }

  #silence(): string {
    return `acp:${this.#name} said nothing for ${Math.round(this.#silenceMs / 1000)} s.`;
  }

  /** The agent is told first: in the other order it would hear a refusal, and ask the model what to do next. */
  #cancel(why: 'interrupt' | 'nobody' | 'silence'): void {
    if (this.#stopping === 'interrupt') return;
    this.#stopping = why;
    this.#translator.cancelled();
    const { sessionId } = this.#translator;
    if (sessionId !== null) this.#connection.notify('session/cancel', { sessionId });
    if (why !== 'nobody') this.#requests.promptEnds();
  }

  async #setMode(mode: PermissionMode, { session, opened }: Opening): Promise<RuntimeFact> {
    expectMayBypass(mode, this.#launch.env);
    // What the agent was opened with says nothing of its mode now.
    const { modes, configOptions, ...rest } = session;
    const now = {
      ...rest,
      ...(modes ? { modes: { ...modes, currentModeId: undefined } } : {}),
      ...(configOptions
        ? { configOptions: configOptions.map((each) => ({ ...each, currentValue: undefined })) }
        : {}),
    };
    const choosing = modeOf(this.#name, mode, now);
    if (choosing) await choose(this.#connection, opened.sessionId, choosing);
    this.#mode = mode;
    return { type: 'permission_mode_changed', mode, source: 'command' };
  }

  /** Reads until the agent is gone, then sees to it that nothing of it is left. */
  async #run(lines: ReturnType<typeof readLines>): Promise<RuntimeExit> {
    try {
      for await (const line of lines) {
        this.#watch?.heard();
        if (line.kind === 'line') this.#connection.take(line.text);
        else this.#emit([{ type: 'unrecognized', raw: { bytes: line.bytes, head: line.head } }]);
        await this.#host.whenWritable();
      }
    } catch (error) {
      this.#failure ??= `what it said could not be read: ${errorSentence(error)}`;
    }
    this.#requests.promptEnds();
    const ended = await this.#process.end(graceMs);
    const exit = (await this.#process.exited()) ?? { exitCode: null, signal: null, oom: false };
    this.#isGone = true;
    this.#connection.close('The agent is gone.');
    await this.#turn;
    for (const left of ended?.alive ?? [])
      this.#host.log(`still alive after the agent's end: pid ${left.pid} (${left.name})`);
    this.#emit(this.#translator.gone(this.#ending ? 'ended' : 'exited'));
    this.#emit([{ type: 'agent_exited', ...exit }]);
    this.#helper[Symbol.dispose]();
    const { sentinel } = this.#options;
    const left = isSentinelThere(sentinel) ? { needsInputSentinelPath: sentinel } : {};
    const words = this.#failure ?? this.#process.lastWords;
    return { ...exit, ...left, ...(this.#ending || words === '' ? {} : { error: words }) };
  }

  #emit(facts: readonly RuntimeFact[]): void {
    for (const fact of facts) {
      this.#host.emit(fact);
      for (const evidence of this.#evidence.ofFact(fact)) this.#host.emit(evidence);
    }
  }
}

/** What a command left behind may hold the stream open long after the agent is gone. */
async function closeAfter({ exited, stdout }: PipedChild): Promise<void> {
  await exited;
  await delay(drainMs);
  stdout.destroy();
}

function blocksOf(turn: TurnInput, { agent }: Opening): object[] {
  const takesImages = agent.agentCapabilities?.promptCapabilities?.image === true;
  const attached = turn.attachments.flatMap((attachment): object[] => {
    if (attachment.type !== 'image') return [{ type: 'text', text: attachedFile(attachment) }];
    return takesImages ? [{ type: 'image', data: attachment.data, mimeType: attachment.mediaType }] : [];
  });
  return [...attached, { type: 'text', text: turn.content }];
}

async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true });
  });
}
