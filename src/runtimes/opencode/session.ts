import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { linkInside } from '../../domain/container/container-arguments.js';
import { packageRoot } from '../../process/files/package-root.js';
import { isSentinelThere } from '../../process/files/sentinel-file.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { AgentProcess } from '../agent-process.js';
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
import { findOpencode } from './binary.js';
import { type OpencodeSettings, opencodeSettings } from './command.js';
import { messageId } from './message-id.js';
import { Models, type OpencodeModel } from './models.js';
import { projectSettings } from './project-settings.js';
import { promptParts } from './prompt-parts.js';
import { OpencodeRequests } from './requests.js';
import { holdsRules, sessionRules } from './rules.js';
import { OpencodeServer } from './server.js';
import { startServer } from './starting.js';
import { OpencodeEvidence } from './status.js';
import { OpencodeTranslator } from './translate.js';
import { readEvent, type WireEvent, WireHealth, WireServers, WireSession, WireStatuses } from './wire.js';

const openingMs = 120_000;
const lookAgainMs = 50;
// A first message is heard seconds after it was taken (measured), and an abort before that would abort nothing.
const heardMs = 60_000;
const abortAgainMs = 2000;
const mostAborts = 10;
const errorSettlesMs = 2000;
const graceMs = { ask: 8000, sigterm: 4000 };

/** One session of one `opencode serve`, with a prompt for each message. */
export class OpencodeSession implements RuntimeSession {
  readonly exited: Promise<RuntimeExit>;
  readonly #launch: Launch;
  readonly #host: RuntimeHost;
  readonly #sentinel: string;
  readonly #settings: OpencodeSettings;
  readonly #translator: OpencodeTranslator;
  readonly #evidence: OpencodeEvidence;
  readonly #process: AgentProcess;
  readonly #requests: OpencodeRequests;
  readonly #helper: NeedsInputHelper;
  readonly #server: Promise<OpencodeServer>;
  readonly #connected: Promise<void>;
  readonly #opened: Promise<void>;
  #isConnected: () => void = () => {};
  #called: OpencodeServer | null = null;
  #mode: PermissionMode;
  #model: OpencodeModel | null = null;
  #models: Models | null = null;
  #beginning: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | null = null;
  #ending = false;
  #failure: string | undefined;

  constructor(launch: Launch, host: RuntimeHost, sentinel: string) {
    this.#launch = launch;
    this.#host = host;
    this.#sentinel = sentinel;
    this.#helper = new NeedsInputHelper(launch);
    this.#mode = launch.permissionMode;
    const { permissionMode, cwd } = launch;
    this.#translator = new OpencodeTranslator({ now: host.now, cwd, permissionMode });
    this.#evidence = new OpencodeEvidence(host.now);
    const password = randomBytes(24).toString('base64url');
    this.#settings = opencodeSettings(launch, {
      password,
      marker: { [host.marker.name]: host.marker.value },
      readsProject: projectSettings(launch).state === 'approved',
      plugin: launch.container
        ? `file://${linkInside}/forget-password.js`
        : new URL('dist/runtimes/opencode/forget-password.js', packageRoot).href,
    });
    this.#process = new AgentProcess(launch, host, { isServer: true });
    const { env } = this.#settings;
    this.#server = startServer({
      process: this.#process,
      command: { file: launch.container ? 'opencode' : findOpencode(launch.env), cwd, env },
      isWanted: () => !this.#ending && this.#failure === undefined,
    }).then((url) => new OpencodeServer(url, password, this.#process.calls));
    this.#connected = new Promise((resolve) => {
      this.#isConnected = resolve;
    });
    this.#requests = new OpencodeRequests({
      launch,
      host,
      server: () => this.#expectServer(),
      translator: this.#translator,
      mode: () => this.#mode,
      emit: (facts) => this.#emit(facts),
    });
    this.#opened = this.#open();
    this.exited = this.#run();
  }

  begin(turn: TurnInput): void {
    const { now, marker } = this.#host;
    const id = messageId({ run: marker.value, uuid: turn.uuid, now: now() });
    this.#stopping = null;
    this.#emit(this.#translator.begin({ uuid: turn.uuid, id }));
    this.#beginning = this.#handOver(id, turn);
  }

  async interrupt(): Promise<void> {
    this.#translator.interrupting();
    await this.#beginning;
    await this.#stopTurn();
  }

  async control(command: ControlCommand): Promise<RuntimeFact | null> {
    await this.#opened;
    switch (command.type) {
      case 'set_model':
        this.#model = this.#models?.find(command.model) ?? null;
        return { type: 'model_changed', model: command.model };
      case 'set_permission_mode':
        expectMayBypass(command.permissionMode, this.#launch.env);
        this.#mode = command.permissionMode;
        return this.#translator.modeSet(command.permissionMode);
      case 'get_supported_models':
        return { type: 'supported_models', models: this.#models?.list ?? [] };
      case 'get_supported_commands': {
        const commands = await this.#expectServer().get('/command');
        return { type: 'supported_commands', commands: Array.isArray(commands) ? commands : [] };
      }
      case 'get_mcp_status':
        return { type: 'mcp_status', servers: await this.#mcpServers() };
      default:
        return null;
    }
  }

  end(): void {
    this.#ending = true;
    void this.#shutDown();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending = true;
    await this.#shutDown();
    await this.exited;
  }

  /** Begins the conversation and the session; a failure ends the agent, and is told as the reason of its end. */
  async #open(): Promise<void> {
    const late = AbortSignal.timeout(openingMs);
    try {
      await Promise.race([this.#start(), aborted(late)]);
    } catch (error) {
      this.#failure = late.aborted
        ? `it did not open a session in ${openingMs / 1000} s`
        : errorSentence(error);
      await this.#process.end(graceMs);
    }
  }

  async #start(): Promise<void> {
    const server = await this.#server;
    this.#called = server;
    await this.#connected;
    const { version } = WireHealth.parse(await server.get('/global/health'));
    this.#models = new Models(await server.get('/config/providers'));
    const { model } = this.#launch;
    if (model !== undefined) this.#model = this.#models.find(model);
    const shown = await this.#helper.ready;
    const notes = shown === undefined ? this.#settings.warnings : [...this.#settings.warnings, shown];
    this.#emit(notes.map((message) => ({ type: 'warning', message })));
    const id = await this.#openSession(server);
    this.#translator.opened({ id, version, servers: await this.#mcpServers() });
  }

  async #openSession(server: OpencodeServer): Promise<string> {
    const { resume, fork } = this.#launch;
    if (resume === undefined)
      return WireSession.parse(await server.post('/session', { permission: sessionRules })).id;
    const path = `/session/${encodeURIComponent(resume)}`;
    const found = await server.get(path).catch((error: unknown) => {
      throw new Error(`OpenCode has no session ${resume} (${errorSentence(error)})`, { cause: error });
    });
    const session = WireSession.parse(fork ? await server.post(`${path}/fork`, {}) : found);
    if (!holdsRules(session.permission ?? []))
      await server.patch(`/session/${session.id}`, { permission: sessionRules });
    return session.id;
  }

  async #mcpServers(): Promise<{ name: string; status: string; error?: string }[]> {
    const servers = WireServers.parse(await this.#expectServer().get('/mcp'));
    return Object.entries(servers).map(([name, { status, error }]) => ({
      name,
      status,
      ...given({ error }),
    }));
  }

  async #handOver(id: string, turn: TurnInput): Promise<void> {
    await this.#opened;
    const { sessionId } = this.#translator;
    if (sessionId === null) return;
    try {
      await this.#expectServer().post(`/session/${sessionId}/prompt_async`, {
        messageID: id,
        parts: promptParts(turn),
        ...given({ system: this.#settings.system }),
        ...(this.#model ? { model: this.#model } : {}),
      });
    } catch (error) {
      if (!this.#ending) this.#emit(this.#translator.refused(errorSentence(error)));
    }
  }

  /** Ends the running turn, its commands and what it asks; settles once OpenCode has let go of it. */
  async #stopTurn(): Promise<void> {
    this.#stopping ??= this.#abort();
    await this.#stopping;
  }

  async #abort(): Promise<void> {
    const { sessionId } = this.#translator;
    const isOver = () => this.#translator.turn === 'none';
    if (sessionId === null || isOver()) return;
    await this.#until(heardMs, () => this.#translator.turn !== 'handed over');
    this.#requests.dropRefusals();
    for (let tries = 0; tries < mostAborts && !isOver(); tries += 1) {
      try {
        await this.#expectServer().post(`/session/${sessionId}/abort`);
      } catch (error) {
        this.#host.log(`opencode: ${errorSentence(error)}`);
      }
      await this.#requests.withdraw();
      await this.#until(abortAgainMs, isOver);
    }
    await this.#requests.withdraw();
  }

  async #until(ms: number, isSo: () => boolean): Promise<void> {
    const giveUpAt = this.#host.now() + ms;
    while (!isSo() && this.#host.now() < giveUpAt) await delay(lookAgainMs);
  }

  /** OpenCode goes on when its stdin closes, and leaves its commands behind on a signal (both measured). */
  async #shutDown(): Promise<void> {
    await this.#process.end(graceMs, async () => {
      this.#translator.interrupting();
      await this.#stopTurn();
      throw new Error('it knows no other way to end than a signal');
    });
  }

  /** Reads until the agent is gone, then sees to it that nothing of it is left. */
  async #run(): Promise<RuntimeExit> {
    try {
      const server = await this.#server;
      for await (const raw of server.events()) {
        this.#hear(readEvent(raw));
        await this.#host.whenWritable();
      }
    } catch (error) {
      this.#host.log(`opencode: ${errorSentence(error)}`);
    }
    this.#requests.close();
    const ended = await this.#process.end(graceMs, async () => {
      throw new Error('nobody hears it any more');
    });
    const exit = (await this.#process.exited()) ?? { exitCode: null, signal: null, oom: false };
    for (const left of ended?.alive ?? [])
      this.#host.log(`still alive after the agent's end: pid ${left.pid} (${left.name})`);
    this.#emit(this.#translator.gone(this.#ending ? 'ended' : 'exited'));
    this.#emit([{ type: 'agent_exited', ...exit }]);
    this.#helper[Symbol.dispose]();
    const left = isSentinelThere(this.#sentinel) ? { needsInputSentinelPath: this.#sentinel } : {};
    // Of a server that was never reached, its own words say more than that it ended.
    const { lastWords } = this.#process;
    const words = this.#called === null && lastWords !== '' ? lastWords : (this.#failure ?? lastWords);
    return { ...exit, ...left, ...(this.#ending || words === '' ? {} : { error: words }) };
  }

  #hear(read: WireEvent): void {
    for (const evidence of this.#evidence.ofEvent(read, this.#translator.sessionId))
      this.#host.emit(evidence);
    const before = this.#translator.turn;
    const facts = this.#translator.event(read);
    if (before !== 'none' && this.#translator.turn === 'none') void this.#endTurn(facts);
    else this.#emit(facts);
    this.#act(read);
  }

  #act(read: WireEvent): void {
    switch (read.kind) {
      case 'server.connected':
        this.#isConnected();
        return;
      case 'permission.asked':
        void this.#requests.permission(read.properties);
        return;
      case 'question.asked':
        void this.#requests.question(read.properties);
        return;
      case 'permission.replied':
        if (!this.#requests.settled(read.properties)) this.#foreignReply();
        return;
      case 'question.replied':
      case 'question.rejected':
        this.#requests.settled(read.properties);
        return;
      case 'session.status':
        if (this.#translator.isHopeless) void this.#stopTurn();
        return;
      case 'session.error':
        void this.#settleError();
        return;
      default:
    }
  }

  /** Nobody but this process knows the password; whoever found it out may be the agent itself. */
  #foreignReply(): void {
    const message =
      'Another program has answered a permission of OpenCode in place of a person; the turn was ended.';
    this.#translator.failed(message);
    this.#emit([{ type: 'warning', message }]);
    void this.#stopTurn();
  }

  /** Some errors are told without the turn being ended. */
  async #settleError(): Promise<void> {
    const { sessionId, turn } = this.#translator;
    if (turn === 'none' || sessionId === null) return;
    await this.#until(errorSettlesMs, () => this.#translator.turn === 'none');
    if (this.#translator.turn === 'none') return;
    const statuses = WireStatuses.safeParse(
      await this.#expectServer()
        .get('/session/status')
        .catch(() => null),
    );
    if (statuses.success && statuses.data[sessionId] === undefined) await this.#stopTurn();
  }

  /** The next message may come once nothing of this one is left. */
  async #endTurn(facts: readonly RuntimeFact[]): Promise<void> {
    await this.#stopping;
    this.#emit(facts);
  }

  #expectServer(): OpencodeServer {
    if (!this.#called) throw new Error('OpenCode is not there yet');
    return this.#called;
  }

  #emit(facts: readonly RuntimeFact[]): void {
    for (const fact of facts) {
      this.#host.emit(fact);
      for (const evidence of this.#evidence.ofFact(fact)) this.#host.emit(evidence);
    }
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true });
  });
}
