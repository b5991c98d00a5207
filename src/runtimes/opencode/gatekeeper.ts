import { isAbsolute, relative } from 'node:path';
import { outsidePath } from '../../domain/container/container-arguments.js';
import { workspacePath } from '../../process/files/workspace-path.js';
import { given } from '../../protocol/given.js';
import type { PermissionMode } from '../../protocol/posture.js';
import type { Launch, RuntimeHost } from '../runtime.js';
import { isSentinelWrite } from '../sentinel-write.js';
import { ThreadGrants } from '../thread-grants.js';
import type { OpencodeCall } from './tool-call.js';

/** What is asked for. */
export interface OpencodeWish extends OpencodeCall {
  readonly toolUseId: string;
  readonly agentId?: string;
  /** OpenCode's word for what it wants to do. */
  readonly permission: string;
  /** The file that it wants to change. */
  readonly file?: string;
  /** What the model says that it is for. */
  readonly reason?: string;
}

/**
 * What OpenCode is told. Never `always`: it covers whatever begins with the same word (`git *`), and that is more than
 * was shown. And never a rejection without words: that one ends the turn (measured).
 */
export type OpencodeReply =
  | { readonly reply: 'once' }
  | { readonly reply: 'reject'; readonly message: string };

export interface OpencodeGatekeeperParts {
  readonly launch: Pick<Launch, 'cwd' | 'toolPreset' | 'container'>;
  readonly mode: () => PermissionMode;
  readonly ask: RuntimeHost['ask'];
}

const once: OpencodeReply = { reply: 'once' };

/** Decides about what OpenCode asks for: by preset, by mode, by the rule for the needs-input file, else by asking. */
export class OpencodeGatekeeper {
  readonly #parts: OpencodeGatekeeperParts;
  readonly #grants = new ThreadGrants();

  constructor(parts: OpencodeGatekeeperParts) {
    this.#parts = parts;
  }

  async decide(wish: OpencodeWish, signal: AbortSignal): Promise<OpencodeReply> {
    const rule = await this.#rule(wish);
    if (rule !== 'ask') return rule;
    const { tool, input, toolUseId, agentId, reason } = wish;
    if (this.#grants.allows(wish)) return once;
    const reply = await this.#parts.ask(
      'permission',
      { tool, input, toolUseId, ...given({ agentId, reason }) },
      signal,
    );
    if (!reply.answered)
      return reject(
        `This was no rejection by the user. Nobody answered: ${reply.why} Do not take this for a refusal or for consent.`,
      );
    if (!reply.approved) return reject(reply.message ?? 'The user denied this action.');
    if (reply.scope === 'thread') this.#grants.grant({ tool, input });
    return once;
  }

  async #rule({ tool, permission, file }: OpencodeWish): Promise<OpencodeReply | 'ask'> {
    const { launch, mode } = this.#parts;
    const { toolPreset } = launch;
    const isEdit = permission === 'edit' && file !== undefined;
    if (isEdit && isSentinelWrite(launch, file)) return once;
    if (toolPreset === 'read-only' && !isReading(permission)) return presetRefusal(toolPreset, tool);
    if (toolPreset === 'no-bash' && permission === 'bash') return presetRefusal(toolPreset, tool);
    const asked = mode();
    switch (asked) {
      case 'bypassPermissions':
        return once;
      case 'dontAsk':
        return reject('The user has said beforehand that nobody is to be asked. Go on without this action.');
      case 'acceptEdits':
        return isEdit && (await this.#isInside(file)) ? once : 'ask';
      case 'default':
      case 'plan':
        return 'ask';
      default:
        return asked satisfies never;
    }
  }

  async #isInside(file: string): Promise<boolean> {
    const { cwd, container } = this.#parts.launch;
    const place = container ? outsidePath(cwd, file) : file;
    try {
      await workspacePath(cwd, isAbsolute(place) ? relative(cwd, place) : place);
      return true;
    } catch {
      return false;
    }
  }
}

/** What reads without changing anything; the rest of it OpenCode does unasked. */
function isReading(permission: string): boolean {
  return ['read', 'external_directory', 'webfetch', 'websearch'].includes(permission);
}

function presetRefusal(preset: string, tool: string): OpencodeReply {
  return reject(`The tool preset "${preset}" does not allow ${tool}.`);
}

function reject(message: string): OpencodeReply {
  return { reply: 'reject', message };
}
