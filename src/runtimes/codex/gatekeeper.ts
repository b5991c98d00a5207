import { isAbsolute, relative } from 'node:path';
import { workspacePath } from '../../process/files/workspace-path.js';
import { given } from '../../protocol/given.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { agentFolder } from '../launch-container.js';
import type { Asks, Launch, RuntimeHost, Unanswered } from '../runtime.js';
import { isSentinelWrite } from '../sentinel-write.js';
import { ThreadGrants } from '../thread-grants.js';
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

/**
 * What Codex is told, about this one action: an amendment of its rules would outlive the thread, and what it accepts for a
 * session is more than was shown (every later change of the same file, every call of the same tool).
 */
export type CodexDecision = 'accept' | 'decline';

export interface GatekeeperParts {
  readonly launch: Pick<Launch, 'cwd' | 'toolPreset' | 'container'>;
  readonly mode: () => PermissionMode;
  readonly ask: RuntimeHost['ask'];
  /** Says something to the agent inside of its running turn. */
  readonly tell: (wish: Pick<Wish, 'threadId' | 'turnId' | 'toolUseId'>, words: string) => Promise<void>;
}

/** Decides about what Codex may not do by itself: by preset, by mode, by the rule for the needs-input file, else by asking. */
export class CodexGatekeeper {
  readonly #parts: GatekeeperParts;
  readonly #grants = new ThreadGrants();

  constructor(parts: GatekeeperParts) {
    this.#parts = parts;
  }

  async decide(wish: Wish, signal: AbortSignal): Promise<CodexDecision> {
    const rule = await this.#rule(wish);
    if (rule !== 'ask') return rule;
    const { tool, input, toolUseId, agentId, reason } = wish;
    if (this.#grants.allows(wish)) return 'accept';
    const reply = await this.#parts.ask(
      'permission',
      {
        tool,
        input,
        toolUseId,
        ...given({ agentId, reason }),
      },
      signal,
    );
    const decision = reply.answered && reply.approved ? 'accept' : 'decline';
    if (decision === 'accept' && reply.answered && reply.scope === 'thread') this.#grants.grant(wish);
    // Said before the refusal, so that the model reads both together: a refusal itself carries no words.
    const words = decision === 'decline' && !signal.aborted ? wordsFor(reply) : undefined;
    if (words !== undefined) await this.#parts.tell(wish, words);
    return decision;
  }

  async #rule({ tool, input }: Wish): Promise<CodexDecision | 'ask'> {
    const { launch } = this.#parts;
    const mode = this.#parts.mode();
    const paths = tool === 'Edit' ? pathsIn(input) : [];
    if (paths.length > 0 && paths.every((path) => isSentinelWrite(launch, path))) return 'accept';
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
    const { launch } = this.#parts;
    const here = agentFolder(launch);
    try {
      for (const path of paths)
        await workspacePath(launch.cwd, isAbsolute(path) ? relative(here, path) : path);
      return true;
    } catch {
      return false;
    }
  }
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
