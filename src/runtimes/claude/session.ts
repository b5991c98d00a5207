import { type Query, query } from '@anthropic-ai/claude-agent-sdk';
import { isSentinelThere } from '../../process/files/sentinel-file.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { needsInputPath } from '../../protocol/needs-input.js';
import { keepOutOfStatus } from '../../workspace-tools/git-exclude.js';
import { AgentProcess } from '../agent-process.js';
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
import { isSentinelWrite } from '../sentinel-write.js';
import { Checkpoints } from './checkpoints.js';
import { claudeEnv, claudeOptions, type Wiring } from './command.js';
import { CutOffCalls } from './cut-off-calls.js';
import { claudeElicitation } from './elicitation.js';
import { ClaudeGatekeeper } from './gatekeeper.js';
import { hookMatchers } from './hooks.js';
import { ImpatientTools } from './impatient-tools.js';
import { mergeServers, type OfferedTools } from './mcp-servers.js';
import { mcpToolName } from './mcp-tool-name.js';
import { MessageFeed } from './message-feed.js';
import { needsInputSkill } from './needs-input-skill.js';
import { claudeTools } from './own-tools.js';
import type { ParkedClaude } from './parked-claude.js';
import { type ProjectPlugin, placePlugin, withFullCommand } from './project-plugin.js';
import { approvedSettings } from './project-settings.js';
import { noteSessionEnd } from './session-end.js';
import { sessionFile } from './session-file.js';
import { spawnAs } from './spawn.js';
import { ClaudeEvidence } from './status.js';
import { readsProject, SuppliedInstructions } from './supplied-instructions.js';
import { ClaudeTranslator, isLoginRetry } from './translate.js';
import { isRecord } from './wire.js';

const graceMs = { ask: 2000, stdin: 2000 };

/** Where the agent leaves a question in a file, and one that waits for its launch, where there is one. */
export interface SessionStart {
  readonly sentinel: string;
  readonly parked?: ParkedClaude;
}

/** One query() of the Claude Agent SDK, fed with a message per turn. */
export class ClaudeSession implements RuntimeSession {
  readonly exited: Promise<RuntimeExit>;
  readonly #launch: Launch;
  readonly #host: RuntimeHost;
  readonly #feed = new MessageFeed();
  readonly #translator: ClaudeTranslator;
  readonly #evidence: ClaudeEvidence;
  readonly #gate: ClaudeGatekeeper;
  readonly #process: AgentProcess;
  readonly #query: Promise<Query>;
  readonly #checkpoints: Checkpoints | null;
  readonly #begun = new Set<string>();
  readonly #helper: NeedsInputHelper;
  readonly #sentinel: string;
  readonly #plugin: ProjectPlugin | null;
  #beginning: Promise<void> = Promise.resolve();
  #underway = new Gate();
  #ending = false;
  #isInterrupted = false;

  constructor(launch: Launch, host: RuntimeHost, { sentinel, parked }: SessionStart) {
    this.#launch = launch;
    this.#host = host;
    this.#sentinel = sentinel;
    this.#helper = new NeedsInputHelper(launch, readsProject(launch) ? needsInputSkill : undefined);
    void this.#warnOf(this.#helper.ready);
    this.#translator = new ClaudeTranslator({
      now: host.now,
      limits: launch.limits,
      permissionMode: launch.permissionMode,
      expectsStructuredOutput: launch.structuredOutput !== undefined,
      tellsMore: launch.compat !== undefined,
      isOwnDeferral: (toolUseId) => this.#gate.hasDeferred(toolUseId),
    });
    this.#evidence = new ClaudeEvidence(host.now);
    // One that waited is in no container, and neither is what is started in its place.
    this.#process = parked && !launch.container ? parked.process : new AgentProcess(launch, host);
    this.#checkpoints = launch.checkpointing
      ? new Checkpoints(
          launch,
          { preview: (uuid) => this.#preview(uuid), rewind: (uuid) => this.#rewind(uuid) },
          host.newUuid,
        )
      : null;

    this.#prepareSession();
    const workspace = launchWorkspace(launch, host, () => this.#translator.sessionId);
    const { tools, preset, asksItself } = claudeTools(launch, workspace);
    const impatient = new ImpatientTools(launch.impatientTools ?? []);
    this.#gate = new ClaudeGatekeeper({
      launch,
      impatient,
      asksItself,
      preset,
      host,
      calls: this.#translator.tools,
      repeats: {
        cutOff: new CutOffCalls(launch.resume === undefined ? null : sessionFile(launch.env, launch.resume)),
        isReadOnly: async (tool) => await this.#isReadOnly(tool),
      },
    });
    const own = { tools, calls: this.#translator.tools };
    const { servers, warnings } = mergeServers(launch, own);
    const approved = approvedSettings(launch);
    const supplied = new SuppliedInstructions(launch);
    this.#plugin = launch.projectCode === 'workspace' ? null : placePlugin(launch.projectCode);
    for (const message of [...warnings, ...approved.warnings, ...supplied.warnings])
      host.emit({ type: 'warning', message });
    const wiring: Wiring = {
      preset,
      servers,
      hooks: hookMatchers({
        translator: this.#translator,
        emit: (facts) => this.#emit(facts),
        beforeTool: async (hook, signal) => {
          await host.whenWritable();
          await this.#checkpoints?.beforeTool(hook);
          if (hook.tool_name === 'Write' && isSentinelWrite(launch, hook.tool_input['file_path'])) {
            await keepOutOfStatus(workspace, [needsInputPath]);
          }
          return await this.#gate.beforeTool(hook, signal);
        },
        context: (hook) => supplied.at(hook),
      }),
      append: supplied.append,
      settings: approved.settings,
      plugin: this.#plugin?.folder,
      canUseTool: async (tool, input, call) => await this.#gate.permission(tool, input, call),
      onElicitation: async (request, { signal }) =>
        await claudeElicitation(
          { host, tools: this.#translator.tools, impatient, isInterrupted: () => this.#isInterrupted },
          request,
          signal,
        ),
      spawn: spawnAs(this.#process),
      stderr: host.log,
      env: claudeEnv(launch, { [host.marker.name]: host.marker.value }),
    };
    this.#query = parked ? this.#takeOver(parked, wiring, own) : Promise.resolve(this.#start(wiring));
    this.exited = this.#run();
  }

  begin(turn: TurnInput): void {
    const derived = messageUuid(this.#host.marker.value, turn.uuid);
    const uuid = this.#begun.has(derived) ? this.#host.newUuid() : derived;
    this.#begun.add(uuid);
    this.#isInterrupted = false;
    this.#emit(this.#translator.begin({ uuid, messageUuid: turn.uuid }));
    this.#underway = new Gate();
    this.#beginning = this.#handOver(turn, uuid);
  }

  async interrupt(): Promise<void> {
    await this.#beginning;
    // An interrupt that arrives while the message still waits inside the runtime cancels nothing (measured).
    await this.#underway.promise;
    this.#isInterrupted = true;
    await (await this.#query).interrupt();
  }

  async control(command: ControlCommand): Promise<RuntimeFact | null> {
    const query = await this.#query;
    switch (command.type) {
      case 'set_model':
        await query.setModel(command.model);
        return { type: 'model_changed', model: command.model };
      case 'set_permission_mode':
        expectMayBypass(command.permissionMode, this.#launch.env);
        await query.setPermissionMode(command.permissionMode);
        return this.#translator.modeSet(command.permissionMode);
      case 'set_max_thinking_tokens':
        await query.setMaxThinkingTokens(command.maxThinkingTokens);
        return null;
      case 'get_supported_models':
        return { type: 'supported_models', models: await query.supportedModels() };
      case 'get_supported_commands':
        return { type: 'supported_commands', commands: await query.supportedCommands() };
      case 'get_mcp_status':
        return await this.#mcpStatus();
      case 'get_account_info':
        return { type: 'account_info', info: { ...(await query.accountInfo()) } };
      case 'reconnect_mcp_server':
        await query.reconnectMcpServer(command.serverName);
        return await this.#mcpStatus();
      case 'toggle_mcp_server':
        await query.toggleMcpServer(command.serverName, command.serverEnabled);
        return await this.#mcpStatus();
      case 'rewind_files':
        if (!this.#checkpoints)
          throw new Failure('conflict', 'Checkpoints are off; start the runner with --enable-checkpointing.');
        return await this.#checkpoints.rewind(command.checkpointUuid);
      default:
        return command satisfies never;
    }
  }

  end(): void {
    this.#ending = true;
    void this.#endAgent();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending = true;
    // An interrupt first: an agent that merely loses its input tells the model that its question was refused,
    // and asks the model what to do next (measured: up to two more requests).
    await this.#process.end(graceMs, async () => {
      this.#isInterrupted = true;
      await (await this.#query).interrupt();
      this.#feed.end();
    });
    await this.exited;
  }

  #start(wiring: Wiring): Query {
    return query({ prompt: this.#feed, options: claudeOptions(this.#launch, wiring) });
  }

  /** The agent that waited, or a new one where it cannot be had: nothing was said to it then. */
  async #takeOver(parked: ParkedClaude, wiring: Wiring, own: OfferedTools): Promise<Query> {
    const options = claudeOptions(this.#launch, wiring);
    const taken = await parked.take({ launch: this.#launch, options, own, prompt: this.#feed });
    this.#translator.waited(taken !== null);
    if (taken) return taken;
    if (this.#ending) throw new Failure('unavailable', 'The agent was let go before it had started.');
    return this.#start(wiring);
  }

  async #warnOf(problem: Promise<string | undefined>): Promise<void> {
    const message = await problem;
    if (message !== undefined) this.#host.emit({ type: 'warning', message });
  }

  async #handOver(turn: TurnInput, native: string): Promise<void> {
    await this.#helper.ready;
    await this.#checkpoints?.messageBegins({ uuid: turn.uuid, native });
    this.#feed.push({ ...turn, content: withFullCommand(turn.content, this.#plugin), uuid: native });
  }

  async #endAgent(): Promise<void> {
    await this.#beginning;
    this.#feed.end();
    // Without its input the agent still waits for its own background commands (measured); those end with it.
    await this.#process.end(graceMs);
  }

  #prepareSession(): void {
    const { env, resume } = this.#launch;
    const file = resume === undefined ? null : sessionFile(env, resume);
    try {
      if (file !== null) noteSessionEnd(file);
    } catch (error) {
      this.#host.log(`the session's end could not be noted: ${errorSentence(error)}`);
    }
  }

  /** Pumps messages until the agent is gone, then sees to it that nothing of it is left. */
  async #run(): Promise<RuntimeExit> {
    let error: string | undefined;
    try {
      for await (const message of await this.#query) {
        const pending = this.#take(message) ?? this.#host.whenWritable();
        if (pending) await pending;
      }
    } catch (thrown) {
      error = errorSentence(thrown);
    }
    this.#underway.resolve();
    const ended = await this.#process.end(graceMs);
    this.#helper[Symbol.dispose]();
    const exit = (await this.#process.exited()) ?? { exitCode: null, signal: null, oom: false };
    for (const left of ended?.alive ?? [])
      this.#host.log(`still alive after the agent's end: pid ${left.pid} (${left.name})`);
    this.#emit(this.#translator.gone(this.#ending ? 'ended' : 'exited'));
    this.#emit([{ type: 'agent_exited', ...exit }]);
    // The SDK throws at the end of its input when the last turn failed; that turn's result has reported it already. It also
    // throws when the process is ended while it starts, which is no failure where nobody had given it anything to do.
    const isReported = this.#ending && (this.#translator.sessionId !== null || this.#begun.size === 0);
    const left = isSentinelThere(this.#sentinel) ? { needsInputSentinelPath: this.#sentinel } : {};
    if (error === undefined || isReported) return { ...exit, ...left };
    return { ...exit, ...left, error: this.#process.lastWords === '' ? error : this.#process.lastWords };
  }

  /** Takes one message; only what has to wait gives a promise, because thousands of deltas pass here. */
  #take(message: unknown): Promise<void> | undefined {
    this.#emit(this.#evidence.ofMessage(message));
    const sessionBefore = this.#translator.sessionId;
    const facts = this.#translator.message(message);
    const { sessionId } = this.#translator;
    if (sessionId !== null && sessionId !== sessionBefore) this.#checkpoints?.sessionKnown(sessionId);
    const underway = isUnderway(message);
    if (underway) this.#underway.resolve();
    if (underway && this.#checkpoints) return this.#announce(facts, this.#checkpoints);
    this.#emit(facts);
    // Claude Code would go on for minutes with a login that cannot work (measured).
    return isApiRetry(message) && isLoginRetry(message) ? this.#abandonTurn() : undefined;
  }

  async #abandonTurn(): Promise<void> {
    await (await this.#query).interrupt();
  }

  async #announce(facts: RuntimeFact[], checkpoints: Checkpoints): Promise<void> {
    const ended = facts.some((fact) => fact.type === 'turn_ended');
    const created = await checkpoints.messageCheckpoint();
    this.#emit([...created, ...(ended ? await checkpoints.resultCheckpoint() : []), ...facts]);
  }

  #emit(facts: readonly RuntimeFact[]): void {
    for (const fact of facts) {
      this.#host.emit(fact);
      for (const evidence of this.#evidence.ofFact(fact)) this.#host.emit(evidence);
    }
  }

  async #isReadOnly(tool: string): Promise<boolean> {
    const query = await this.#query;
    const servers = await query.mcpServerStatus().catch(() => []);
    return servers.some(({ name, tools = [] }) =>
      tools.some((each) => mcpToolName(name, each.name) === tool && each.annotations?.readOnly === true),
    );
  }

  async #mcpStatus(): Promise<RuntimeFact> {
    return { type: 'mcp_status', servers: await (await this.#query).mcpServerStatus() };
  }

  async #preview(uuid: string): Promise<string[] | null> {
    const query = await this.#query;
    const preview = await query.rewindFiles(uuid, { dryRun: true }).catch(() => null);
    return preview?.canRewind ? (preview.filesChanged ?? []) : null;
  }

  async #rewind(uuid: string): Promise<void> {
    await (await this.#query).rewindFiles(uuid);
  }
}

/** Whether the runtime has begun to work on the message, or is through with it. */
function isUnderway(message: unknown): boolean {
  if (!isRecord(message)) return false;
  return (
    message['type'] === 'result' || (message['subtype'] === 'status' && message['status'] === 'requesting')
  );
}

function isApiRetry(message: unknown): message is Record<string, unknown> {
  return isRecord(message) && message['subtype'] === 'api_retry';
}

/** A promise that is settled from outside. */
class Gate {
  readonly promise: Promise<void>;
  #open: () => void = noop;

  constructor() {
    this.promise = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  resolve(): void {
    this.#open();
  }
}

function noop(): void {}
