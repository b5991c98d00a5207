import { isAbsolute, relative } from 'node:path';
import { workspacePath } from '../../process/workspace-path.js';
import type { PermissionMode } from '../../protocol/posture.js';
import type { Asks, Launch, RuntimeHost, Unanswered } from '../runtime.js';
import { isSentinelWrite } from '../sentinel-write.js';
import type { ToolCall } from './tool-call.js';

/** What is asked for, and where. */
export interface Wish extends ToolCall {
  readonly toolUseId: string;
  readonly agentId?: string;
  readonly threadId: string;
  readonly turnId: string | undefined;
  /** Why the model wants it. */
  readonly reason?: string;
}

/** What Codex is told. An amendment of its rules is never among it: that would outlive the thread. */
export type Decision = 'accept' | 'acceptForSession' | 'decline';

export interface GatekeeperOutside {
  readonly launch: Pick<Launch, 'cwd' | 'toolPreset'>;
  readonly mode: () => PermissionMode;
  readonly ask: RuntimeHost['ask'];
  /** Says something to the agent inside of its running turn. */
  readonly tell: (turn: Pick<Wish, 'threadId' | 'turnId'>, words: string) => Promise<void>;
}

/** Decides about what Codex may not do by itself: by preset, by mode, by the rule for the needs-input file, else by asking. */
export class Gatekeeper {
  readonly #outside: GatekeeperOutside;

  constructor(outside: GatekeeperOutside) {
    this.#outside = outside;
  }

  async decide(wish: Wish, signal: AbortSignal): Promise<Decision> {
    const rule = await this.#rule(wish);
    if (rule !== 'ask') return rule;
    const { tool, input, toolUseId, agentId, reason } = wish;
    const reply = await this.#outside.ask(
      'permission',
      {
        tool,
        input,
        toolUseId,
        ...(agentId === undefined ? {} : { agentId }),
        ...(reason === undefined ? {} : { reason }),
      },
      signal,
    );
    const decision = decisionOf(reply);
    // Said before the refusal, so that the model reads both together: a refusal itself carries no words.
    const words = decision === 'decline' && !signal.aborted ? wordsFor(reply) : undefined;
    if (words !== undefined) await this.#outside.tell(wish, words);
    return decision;
  }

  async #rule({ tool, input }: Wish): Promise<Decision | 'ask'> {
    const { launch } = this.#outside;
    const mode = this.#outside.mode();
    const paths = tool === 'Edit' ? pathsIn(input) : [];
    if (paths.length > 0 && paths.every((path) => isSentinelWrite(launch.cwd, path))) return 'accept';
    if (launch.toolPreset === 'read-only') return 'decline';
    switch (mode) {
      case 'bypassPermissions':
        return 'accept';
      case 'dontAsk':
        return 'decline';
      case 'acceptEdits':
        return paths.length > 0 && (await this.#areInside(paths, input)) ? 'accept' : 'ask';
      case 'default':
      case 'plan':
        return 'ask';
      default:
        return mode satisfies never;
    }
  }

  async #areInside(paths: readonly string[], input: Record<string, unknown>): Promise<boolean> {
    if (input['grantRoot'] !== undefined) return false;
    const { cwd } = this.#outside.launch;
    try {
      for (const path of paths) await workspacePath(cwd, isAbsolute(path) ? relative(cwd, path) : path);
      return true;
    } catch {
      return false;
    }
  }
}

function decisionOf(reply: Asks['permission']['reply'] | Unanswered): Decision {
  if (!reply.answered || !reply.approved) return 'decline';
  return reply.scope === 'thread' ? 'acceptForSession' : 'accept';
}

function wordsFor(reply: Asks['permission']['reply'] | Unanswered): string | undefined {
  if (reply.answered) return reply.message;
  return `Nobody answered: ${reply.why} Do not take this for a refusal or for consent.`;
}

function pathsIn({ changes }: Record<string, unknown>): string[] {
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change: unknown) => {
    if (typeof change !== 'object' || change === null) return [];
    const { path, movedTo } = { path: undefined, movedTo: undefined, ...change };
    return [path, movedTo].filter((each) => typeof each === 'string');
  });
}
