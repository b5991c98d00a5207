import { isAbsolute, relative } from 'node:path';
import { workspacePath } from '../../process/files/workspace-path.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { agentFolder } from '../launch-container.js';
import type { Launch, RuntimeHost } from '../runtime.js';
import { isSentinelWrite } from '../sentinel-write.js';
import { ThreadGrants } from '../thread-grants.js';
import { allowingOnce, cancelled, type PermissionOutcome, refusing } from './permission-option.js';
import { acpCall, editedPaths, isEdit, isShownWhole } from './tool-call.js';
import type { WireOption, WireToolCall } from './wire.js';

/** What an agent is told, and what the model has to hear of it in words: a choice of an option carries none. */
export interface AcpDecision {
  readonly outcome: PermissionOutcome;
  readonly isRefusal: boolean;
  readonly words?: string;
  /** Nobody has decided: the agent must not go on as if somebody had refused. */
  readonly isSilence?: true;
}

/** How the model is told of silence, wherever it is told in words. */
export const unansweredWords = 'Nobody answered';

export interface AcpGatekeeperParts {
  readonly launch: Pick<Launch, 'cwd' | 'container'>;
  readonly mode: () => PermissionMode;
  readonly ask: RuntimeHost['ask'];
}

/** Decides about what an agent asks to do: by mode, by the rule for the needs-input file, else by asking. */
export class AcpGatekeeper {
  readonly #parts: AcpGatekeeperParts;
  readonly #grants = new ThreadGrants();

  constructor(parts: AcpGatekeeperParts) {
    this.#parts = parts;
  }

  async decide(
    call: WireToolCall,
    options: readonly WireOption[],
    signal: AbortSignal,
  ): Promise<AcpDecision> {
    const allowed = allowingOnce(options);
    const rule = await this.#rule(call);
    if (rule === 'refuse') return { outcome: refusing(options), isRefusal: true };
    if (allowed === null) return unapprovable(options);
    if (rule === 'allow') return { outcome: allowed, isRefusal: false };
    const action = acpCall(call, agentFolder(this.#parts.launch));
    if (!isShownWhole(call)) return withheld(options, action.tool);
    if (this.#grants.allows(action)) return { outcome: allowed, isRefusal: false };
    const reply = await this.#parts.ask('permission', { ...action, toolUseId: call.toolCallId }, signal);
    if (signal.aborted) return { outcome: cancelled, isRefusal: true };
    if (!reply.answered)
      return {
        outcome: refusing(options),
        isRefusal: true,
        isSilence: true,
        words: `${unansweredWords} whether ${action.tool} may be used: ${reply.why} Do not take this for a refusal or for consent.`,
      };
    if (!reply.approved)
      return {
        outcome: refusing(options),
        isRefusal: true,
        ...(reply.message ? { words: `The person who refused ${action.tool} says: ${reply.message}` } : {}),
      };
    if (reply.scope === 'thread') this.#grants.grant(action);
    return { outcome: allowed, isRefusal: false };
  }

  async #rule(call: WireToolCall): Promise<'allow' | 'refuse' | 'ask'> {
    const { launch } = this.#parts;
    const mode = this.#parts.mode();
    const paths = isEdit(call) ? editedPaths(call) : [];
    if (paths.length > 0 && paths.every((path) => isSentinelWrite(launch, path))) return 'allow';
    switch (mode) {
      case 'bypassPermissions':
        return 'allow';
      case 'dontAsk':
        return 'refuse';
      case 'acceptEdits':
        return paths.length > 0 && (await this.#areInside(paths)) ? 'allow' : 'ask';
      case 'default':
      case 'plan':
        return 'ask';
      default:
        return mode satisfies never;
    }
  }

  async #areInside(paths: readonly string[]): Promise<boolean> {
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

function unapprovable(options: readonly WireOption[]): AcpDecision {
  return {
    outcome: refusing(options),
    isRefusal: true,
    words:
      'Nobody was asked: your request had no option, or several, to allow this one call only. Do not take this for a refusal by a person. Find another way, or ask a question.',
  };
}

function withheld(options: readonly WireOption[], tool: string): AcpDecision {
  return {
    outcome: refusing(options),
    isRefusal: true,
    words: `Nobody was asked: the request to use ${tool} showed only a part of its input, and nobody can approve what is not shown. Do not take this for a refusal by a person. Use a shorter input, or another way.`,
  };
}
