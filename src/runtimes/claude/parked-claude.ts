import { setTimeout as delay } from 'node:timers/promises';
import {
  type Options,
  prewarm,
  type Query,
  type SDKUserMessage,
  type SpareProcess,
} from '@anthropic-ai/claude-agent-sdk';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { AgentProcess } from '../agent-process.js';
import { launchWorkspace } from '../launch-workspace.js';
import { ownServerName } from '../mcp-servers.js';
import type { Launch, ParkedAgent, RuntimeHost, RuntimeSession } from '../runtime.js';
import { claudeEnv, claudeOptions } from './command.js';
import { configurationPlaces, configurationStamp } from './configuration-stamp.js';
import { lateHooks } from './hooks.js';
import { type OfferedTools, ownServer } from './mcp-servers.js';
import { claudeTools } from './own-tools.js';
import { fixedHalf, mayPark } from './parking.js';
import { spawnAs } from './spawn.js';

// Nobody waits for it: a worker that needs a runner before this one is ready starts another one.
const readyWithinMs = 60_000;
const claimedWithinMs = 10_000;
/** Set by the SDK for `prewarm()` alone; without it the environment is that of any start. */
const startupMarks = 'CLAUDE_CODE_SDK_READS_STARTUP_MARKS';

/** What a session brings to the agent that it takes. */
export interface Taking {
  readonly launch: Launch;
  readonly options: Options;
  readonly own: OfferedTools;
  readonly prompt: AsyncIterable<SDKUserMessage>;
}

/** Opens a session of this agent. */
type Opening = (launch: Launch, host: RuntimeHost, parked: ParkedClaude) => RuntimeSession;

/** What an agent has of its runner before there is a run. */
type Waiting = Pick<RuntimeHost, 'marker' | 'log' | 'now'>;

/** What an agent was started with before its session was known. */
interface Parking {
  readonly spare: SpareProcess;
  readonly process: AgentProcess;
  readonly fixed: string;
  readonly stamp: string;
}

/** A Claude Code that was started before anybody knew for what: it has its hooks and tools, and no folder, model or mode. */
export class ParkedClaude implements ParkedAgent {
  readonly #parking: Parking;
  readonly #late: { current: Taking | null };
  readonly #host: Waiting;
  readonly #opening: Opening;

  private constructor(
    parking: Parking,
    more: { late: { current: Taking | null }; host: Waiting; opening: Opening },
  ) {
    this.#parking = parking;
    this.#late = more.late;
    this.#host = more.host;
    this.#opening = more.opening;
  }

  /** Null where none can be had now; runs start as ever then. */
  static async park(
    launch: Launch,
    host: Waiting,
    { open }: { readonly open: Opening },
  ): Promise<ParkedClaude | null> {
    const stamp = configurationStamp(configurationPlaces(launch.env), new Date(host.now()));
    if (stamp === null) return null;
    const late: { current: Taking | null } = { current: null };
    const process = new AgentProcess(null, { ...host, emit: () => {} });
    const offered = claudeTools(
      launch,
      launchWorkspace(launch, nobody, () => null),
    );
    const options = parkedOptions(launch, { host, process, offered, current: () => taken(late.current) });
    // Before the SDK adds to it.
    const fixed = fixedHalf(options, offered.tools);
    try {
      const spare = await prewarm({ options, initializeTimeoutMs: readyWithinMs });
      return new ParkedClaude({ spare, process, fixed, stamp }, { late, host, opening: open });
    } catch (error) {
      host.log(`No agent could be kept ready: ${errorSentence(error)}`);
      await process.kill();
      return null;
    }
  }

  /** Its process, which is the session's from now on. */
  get process(): AgentProcess {
    return this.#parking.process;
  }

  open(launch: Launch, host: RuntimeHost): RuntimeSession {
    return this.#opening(launch, host, this);
  }

  /** Makes it the agent of a session. Null where it does not fit, or is gone: then it was told nothing, and has ended. */
  async take(taking: Taking): Promise<Query | null> {
    const why = this.#whyNot(taking) ?? (await this.#claim(taking));
    if (typeof why !== 'string') return why;
    this.#host.log(`The agent that waited is not used: ${why}`);
    await this[Symbol.asyncDispose]();
    return null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { spare, process } = this.#parking;
    // Killed before the SDK lets go of it: the SDK would wait for seconds until it has ended by itself.
    await process.kill();
    spare.close();
  }

  #whyNot({ launch, options, own }: Taking): string | null {
    const { fixed, stamp } = this.#parking;
    if (!mayPark(launch)) return 'this launch needs a start of its own.';
    if (fixedHalf(options, own.tools) !== fixed) return 'it was started for another posture.';
    const now = configurationStamp(configurationPlaces(launch.env), new Date(this.#host.now()));
    return now === stamp ? null : 'the configuration of Claude Code has changed since.';
  }

  async #claim(taking: Taking): Promise<Query | string> {
    const { spare, process } = this.#parking;
    const { launch, options, prompt } = taking;
    this.#late.current = taking;
    const hold = new AbortController();
    try {
      const { model, permissionMode } = options;
      const query = spare.claim({
        prompt: heldUntil(spare.claimed, prompt, hold.signal),
        options: {
          cwd: launch.cwd,
          ...given({ model, permissionMode, appendSystemPrompt: additionOf(options) }),
        },
      });
      const isLate = Symbol('late');
      if ((await Promise.race([spare.claimed, delay(claimedWithinMs, isLate, { ref: false })])) === isLate)
        throw new Failure('unavailable', 'it did not answer in time.');
      process.begins();
      return query;
    } catch (error) {
      hold.abort();
      return errorSentence(error);
    }
  }
}

/** Nothing is said to an agent before it has taken all that comes with the claim, so that a refused one has heard nothing. */
async function* heldUntil(
  claimed: Promise<unknown>,
  prompt: AsyncIterable<SDKUserMessage>,
  letGo: AbortSignal,
): AsyncGenerator<SDKUserMessage> {
  const isClaimed = await claimed.then(
    () => true,
    () => false,
  );
  if (isClaimed && !letGo.aborted) yield* prompt;
}

function parkedOptions(
  launch: Launch,
  parts: {
    readonly host: Waiting;
    readonly process: AgentProcess;
    readonly offered: ReturnType<typeof claudeTools>;
    readonly current: () => Taking;
  },
): Options {
  const { host, process, offered, current } = parts;
  const name = ownServerName(launch);
  const { model: _model, ...options } = claudeOptions(launch, {
    preset: offered.preset,
    servers: { [name]: ownServer(name, offered.tools, () => current().own) },
    hooks: lateHooks(() => current().options.hooks ?? {}),
    append: undefined,
    settings: {},
    plugin: undefined,
    canUseTool: async (...call) => {
      const { canUseTool } = current().options;
      return canUseTool ? await canUseTool(...call) : notClaimed();
    },
    onElicitation: async (...call) => {
      const { onElicitation } = current().options;
      return onElicitation ? await onElicitation(...call) : notClaimed();
    },
    spawn: ({ env: { [startupMarks]: _marks, ...env }, ...more }) => spawnAs(process)({ ...more, env }),
    stderr: host.log,
    env: claudeEnv(launch, { [host.marker.name]: host.marker.value }),
  });
  // The mode comes with the claim, always, so that nobody has to know which one it began in.
  return { ...options, permissionMode: 'default' };
}

function additionOf({ systemPrompt }: Options): string | undefined {
  return typeof systemPrompt === 'object' && 'append' in systemPrompt ? systemPrompt.append : undefined;
}

function taken(taking: Taking | null): Taking {
  return taking ?? notClaimed();
}

function notClaimed(): never {
  throw new Failure('internal', 'An agent that waits for its session was asked to do something.');
}

/** The tools of an agent that waits are listed and never called. */
const nobody: Pick<RuntimeHost, 'now' | 'newUuid' | 'comments' | 'ask'> = {
  now: notClaimed,
  newUuid: notClaimed,
  ask: async () => notClaimed(),
};
