import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { PipedChild } from '../../process/children/child.js';
import { readLines } from '../../process/children/read-lines.js';
import { isSentinelThere } from '../../process/files/sentinel-file.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { AgentProcess } from '../agent-process.js';
import { attachedFile } from '../attached-file.js';
import { CallRefused, type Incoming, JsonRpc } from '../json-rpc.js';
import { agentFolder } from '../launch-container.js';
import { launchWorkspace } from '../launch-workspace.js';
import { messageUuid } from '../message-uuid.js';
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
import { findCodex } from './binary.js';
import { codexArgs, codexEnv, threadParams } from './command.js';
import { laterQuestions } from './later-questions.js';
import { OwnTools } from './own-tools.js';
import { turnRights } from './posture.js';
import { ServerRequests } from './server-requests.js';
import { CodexEvidence } from './status.js';
import { CodexTranslator } from './translate.js';
import { readNotification, WireOpened, WireTurnStarted } from './wire.js';

const maxLine = 64 * 2 ** 20;
const openingMs = 120_000;
// A process that has just been killed may hold the thread for a moment longer.
const writerMs = 10_000;
const lookAgainMs = 200;
const drainMs = 1000;
// Measured: without a network Codex takes up to 4.9 s to end.
const graceMs = { ask: 8000, stdin: 8000, sigterm: 8000 };

/** One thread of one `codex app-server`, with a turn for each message. */
export class CodexSession implements RuntimeSession {
  readonly exited: Promise<RuntimeExit>;
  readonly #launch: Launch;
  readonly #host: RuntimeHost;
  readonly #translator: CodexTranslator;
  readonly #evidence: CodexEvidence;
  readonly #process: AgentProcess;
  readonly #rpc: JsonRpc;
  readonly #requests: ServerRequests;
  readonly #tools: OwnTools;
  readonly #opened: Promise<void>;
  readonly #helper: NeedsInputHelper;
  readonly #sentinel: string;
  #mode: PermissionMode;
  #model = '';
  #effort: string | null = null;
  #beginning: Promise<void> = Promise.resolve();
  #deciding: AbortController | null = null;
  #cleaning: Promise<void> | null = null;
  #ending = false;
  #failure: string | undefined;

  constructor(launch: Launch, host: RuntimeHost, sentinel: string) {
    this.#launch = launch;
    this.#host = host;
    this.#sentinel = sentinel;
    this.#helper = new NeedsInputHelper(launch);
    this.#mode = launch.permissionMode;
    this.#translator = new CodexTranslator({
      now: host.now,
      cwd: agentFolder(launch),
      permissionMode: launch.permissionMode,
      expectsStructuredOutput: launch.structuredOutput !== undefined,
    });
    this.#evidence = new CodexEvidence(host.now);
    this.#tools = new OwnTools(
      launchWorkspace(launch, host, () => this.#translator.threadId),
      launch.toolPreset,
    );
    this.#process = new AgentProcess(launch, host);
    const env = codexEnv(launch, { [host.marker.name]: host.marker.value });
    if (env['TMPDIR'] !== undefined) mkdirSync(env['TMPDIR'], { recursive: true });
    const child = this.#process.start({
      file: launch.container ? 'codex' : findCodex(launch.env),
      args: codexArgs(host.marker),
      cwd: launch.cwd,
      env,
    });
    this.#rpc = new JsonRpc(child.stdin);
    this.#requests = new ServerRequests({
      launch,
      host,
      rpc: this.#rpc,
      tools: this.#tools,
      translator: this.#translator,
      mode: () => this.#mode,
      emit: (facts) => this.#emit(facts),
    });
    this.#opened = this.#open();
    this.exited = this.#run(readLines(child.stdout, { maxBytes: maxLine }));
    void closeAfter(child);
  }

  begin(turn: TurnInput): void {
    this.#emit(this.#translator.begin(turn.uuid));
    const turnTrigger = messageUuid(this.#host.marker.value, turn.uuid);
    this.#beginning = this.#handOver(inputOf(turn), { turnTrigger });
  }

  async interrupt(): Promise<void> {
    await this.#beginning;
    this.#deciding?.abort();
    await this.#interruptTurn();
  }

  async control(command: ControlCommand): Promise<RuntimeFact | null> {
    await this.#opened;
    switch (command.type) {
      case 'set_model':
        await this.#settings({ model: command.model });
        this.#model = command.model;
        return { type: 'model_changed', model: command.model };
      case 'set_permission_mode':
        expectMayBypass(command.permissionMode, this.#launch.env);
        return await this.#setMode(command.permissionMode, 'command');
      case 'get_supported_models':
        return { type: 'supported_models', models: listIn(await this.#rpc.call('model/list', {})) };
      case 'get_mcp_status':
        return { type: 'mcp_status', servers: listIn(await this.#rpc.call('mcpServerStatus/list', {})) };
      case 'get_account_info':
        return { type: 'account_info', info: { ...asObject(await this.#rpc.call('account/read', {})) } };
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
      await this.#interruptTurn();
      this.#process.closeInput();
    });
    await this.exited;
  }

  /** Begins the conversation and the thread; a failure ends the agent, and is told as the reason of its end. */
  async #open(): Promise<void> {
    const late = AbortSignal.timeout(openingMs);
    try {
      await Promise.race([this.#start(), aborted(late)]);
    } catch (error) {
      const why = errorSentence(error);
      this.#failure = late.aborted ? `it did not open a thread in ${openingMs / 1000} s` : why;
      await this.#process.end(graceMs);
    }
  }

  async #start(): Promise<void> {
    await this.#rpc.call('initialize', {
      clientInfo: { name: 'handraise', title: 'Handraise', version: '1' },
      capabilities: { experimentalApi: true, requestAttestation: false },
    });
    this.#rpc.notify('initialized');
    for (const evidence of this.#evidence.signOfLife()) this.#host.emit(evidence);
    const { params, servers, warnings } = threadParams(this.#launch);
    this.#translator.servers.expect(servers);
    const shown = await this.#helper.ready;
    const notes = shown === undefined ? warnings : [...warnings, shown];
    this.#emit(notes.map((message) => ({ type: 'warning', message })));
    const opened = WireOpened.parse(await this.#openThread(params));
    this.#model = opened.model;
    this.#effort = opened.reasoningEffort ?? null;
    this.#translator.opened(opened);
  }

  async #openThread(params: object): Promise<unknown> {
    const { resume, fork } = this.#launch;
    if (resume === undefined)
      return await this.#rpc.call('thread/start', { ...params, dynamicTools: this.#tools.offer });
    const method = fork ? 'thread/fork' : 'thread/resume';
    const giveUpAt = this.#host.now() + writerMs;
    for (;;) {
      try {
        return await this.#rpc.call(method, { threadId: resume, excludeTurns: true, ...params });
      } catch (error) {
        if (!isWriterConflict(error)) throw error;
        if (this.#host.now() > giveUpAt)
          throw new CallRefused(`the session ${resume} is open in another Codex; end it there first`);
        await delay(lookAgainMs);
      }
    }
  }

  /** A turn that a message begins is found again by its trigger in the rollout, from before the message is there. */
  async #handOver(input: readonly object[], origin: { readonly turnTrigger?: string } = {}): Promise<void> {
    await this.#opened;
    const { threadId } = this.#translator;
    if (threadId === null) return;
    await this.#translator.servers.settled();
    try {
      const started = await this.#rpc.call('turn/start', {
        threadId,
        input,
        ...origin,
        ...turnRights(this.#mode, this.#launch),
        collaborationMode: this.#collaboration(this.#mode),
        ...given({ outputSchema: this.#launch.structuredOutput }),
      });
      this.#translator.handedOver(WireTurnStarted.parse(started).turn.id);
    } catch (error) {
      if (!this.#ending) this.#emit(this.#translator.refused(errorSentence(error)));
    }
  }

  /** Codex has planning as a mode of its own, which overrules model and effort. */
  #collaboration(mode: PermissionMode): object {
    const settings = {
      model: this.#model,
      reasoning_effort: this.#effort,
      developer_instructions: null,
    };
    return { mode: mode === 'plan' ? 'plan' : 'default', settings };
  }

  async #interruptTurn(): Promise<void> {
    this.#requests.turnIsCut();
    const { threadId, turnId } = this.#translator;
    if (threadId === null || turnId === null) return;
    // A command outlives the interrupt of its turn (measured); the turn's end is told once it is gone.
    this.#cleaning = this.#cancel(threadId, turnId);
    await this.#cleaning;
  }

  async #cancel(threadId: string, turnId: string): Promise<void> {
    try {
      await this.#rpc.call('turn/interrupt', { threadId, turnId });
      await this.#rpc.call('thread/backgroundTerminals/clean', { threadId });
    } catch (error) {
      // The turn was over by itself.
      this.#host.log(`codex: ${errorSentence(error)}`);
    }
  }

  async #setMode(mode: PermissionMode, source: 'command' | 'plan'): Promise<RuntimeFact> {
    await this.#settings({
      ...turnRights(mode, this.#launch),
      collaborationMode: this.#collaboration(mode),
    });
    this.#mode = mode;
    return this.#translator.modeSet(mode, source);
  }

  async #settings(settings: object): Promise<void> {
    await this.#rpc.call('thread/settings/update', { threadId: this.#translator.threadId, ...settings });
  }

  /** Reads until the agent is gone, then sees to it that nothing of it is left. */
  async #run(lines: ReturnType<typeof readLines>): Promise<RuntimeExit> {
    try {
      for await (const line of lines) {
        if (line.kind === 'line') this.#take(this.#rpc.take(line.text));
        else this.#emit([{ type: 'unrecognized', raw: { bytes: line.bytes, head: line.head } }]);
        await this.#host.whenWritable();
      }
    } catch (error) {
      this.#failure ??= `what it said could not be read: ${errorSentence(error)}`;
    }
    this.#rpc.close('Codex is gone');
    this.#requests.close();
    const ended = await this.#process.end(graceMs);
    const exit = (await this.#process.exited()) ?? { exitCode: null, signal: null, oom: false };
    for (const left of ended?.alive ?? [])
      this.#host.log(`still alive after the agent's end: pid ${left.pid} (${left.name})`);
    this.#emit(this.#translator.gone(this.#ending ? 'ended' : 'exited'));
    this.#emit([{ type: 'agent_exited', ...exit }]);
    this.#helper[Symbol.dispose]();
    const left = isSentinelThere(this.#sentinel) && { needsInputSentinelPath: this.#sentinel };
    const words = this.#failure ?? this.#process.lastWords;
    return { ...exit, ...left, ...(this.#ending || words === '' ? {} : { error: words }) };
  }

  #take(incoming: Incoming): void {
    switch (incoming.kind) {
      case 'answer':
        return;
      case 'strange':
        this.#emit([{ type: 'unrecognized', raw: incoming.raw }]);
        return;
      case 'request':
        void this.#requests.take(incoming);
        return;
      case 'notification':
        this.#hear(incoming);
        return;
      default:
        incoming satisfies never;
    }
  }

  #hear({ method, params }: { readonly method: string; readonly params?: unknown }): void {
    const read = readNotification(method, params);
    for (const evidence of this.#evidence.ofNotification(read, this.#translator.threadId))
      this.#host.emit(evidence);
    const facts = this.#translator.notification(read);
    if (read.kind === 'serverRequest/resolved') this.#requests.resolved(read.params.requestId);
    if (read.kind === 'item/completed') this.#requests.callsEnded();
    const later = read.kind === 'item/completed' ? laterQuestions(read.params.item) : null;
    if (later) void this.#requests.askLater(later);
    if (read.kind === 'error') this.#translator.retries.watch(() => void this.#interruptTurn());
    if (read.kind === 'turn/completed' && read.params.threadId === this.#translator.threadId)
      void this.#endTurn(facts);
    else this.#emit(facts);
  }

  async #endTurn(facts: readonly RuntimeFact[]): Promise<void> {
    await this.#cleaning;
    this.#cleaning = null;
    this.#emit(facts);
    const { plan } = this.#translator;
    if (plan) await this.#decidePlan({ planContent: plan.text ?? '', toolUseId: plan.id });
  }

  /** A plan ends Codex's own turn; ours goes on with what becomes of it. */
  async #decidePlan(plan: { readonly planContent: string; readonly toolUseId: string }): Promise<void> {
    const deciding = new AbortController();
    this.#deciding = deciding;
    const reply = await this.#host.ask('plan', plan, deciding.signal);
    this.#deciding = null;
    if (!reply.answered) {
      this.#emit(this.#translator.planLeft(deciding.signal.aborted || this.#ending));
      return;
    }
    this.#emit(this.#translator.planDecided(reply.approved));
    if (reply.approved) this.#emit([await this.#setMode('default', 'plan')]);
    await this.#handOver([textInput(planWords(reply))]);
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

function planWords(reply: { readonly approved: boolean; readonly reason?: string }): string {
  if (reply.approved)
    return `The person approved the plan${reply.reason ? `: ${reply.reason}` : '.'} Implement it now.`;
  return `The person did not approve the plan${reply.reason ? `: ${reply.reason}` : '.'}`;
}

function inputOf(turn: TurnInput): object[] {
  const attached = turn.attachments.map((attachment) =>
    attachment.type === 'image'
      ? { type: 'image', url: `data:${attachment.mediaType};base64,${attachment.data}` }
      : textInput(attachedFile(attachment)),
  );
  return [...attached, textInput(turn.content)];
}

function textInput(text: string): object {
  return { type: 'text', text, text_elements: [] };
}

/** One process writes a thread at a time, and Codex says so only in words. */
function isWriterConflict(error: unknown): boolean {
  return error instanceof CallRefused && error.message.includes('active writer');
}

async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true });
  });
}

function listIn(result: unknown): unknown[] {
  const { data } = { data: undefined, ...asObject(result) };
  return Array.isArray(data) ? data : [];
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
