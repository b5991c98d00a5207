import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { agentFolder } from '../launch-container.js';
import { type Launch, RequestWithdrawn, type RuntimeFact, type RuntimeHost } from '../runtime.js';
import { OpencodeGatekeeper, type OpencodeWish } from './gatekeeper.js';
import { nobodyAnswered, opencodeAnswers, opencodeQuestions } from './questions.js';
import { Refusals, wordsOfAll } from './refusals.js';
import { CallFailed, type OpencodeServer } from './server.js';
import type { OpencodeTranslator } from './translate.js';
import { WireOpen, type WirePermission, type WireQuestions, type WireReplied } from './wire.js';

// OpenCode asks about some calls a moment before it tells of them (measured).
const toldWithinMs = 5000;

export interface OpencodeRequestsParts {
  readonly launch: Pick<Launch, 'cwd' | 'toolPreset' | 'container'>;
  readonly host: Pick<RuntimeHost, 'ask' | 'log'>;
  readonly server: () => OpencodeServer;
  readonly translator: OpencodeTranslator;
  readonly mode: () => PermissionMode;
  readonly emit: (facts: readonly RuntimeFact[]) => void;
}

/** Answers what OpenCode asks: permissions and questions. */
export class OpencodeRequests {
  readonly #parts: OpencodeRequestsParts;
  readonly #gate: OpencodeGatekeeper;
  readonly #open = new Map<string, AbortController>();
  readonly #answered = new Set<string>();
  readonly #refusals = new Refusals();

  constructor(parts: OpencodeRequestsParts) {
    this.#parts = parts;
    this.#gate = new OpencodeGatekeeper({ launch: parts.launch, mode: parts.mode, ask: parts.host.ask });
  }

  async permission(asked: WirePermission): Promise<void> {
    const { id, sessionID: session } = asked;
    this.#refusals.asked(session, id);
    await this.#take(id, async (signal) => {
      const wish = await this.#wish(asked);
      const reply = await this.#gate.decide(wish, signal);
      if (signal.aborted) return;
      if (reply.reply === 'reject') {
        const { tool, input, toolUseId } = wish;
        this.#parts.translator.denied({ tool, toolUseId });
        this.#refusals.refuse(session, { id, toolUseId, tool, input, message: reply.message });
      } else await this.#post(id, `/permission/${id}/reply`, reply);
    });
    await this.#tellRefusals(session, id);
  }

  async question(asked: WireQuestions): Promise<void> {
    await this.#take(asked.id, async (signal) => {
      const { host, translator, emit } = this.#parts;
      const questions = opencodeQuestions(asked.questions);
      const toolUseId = asked.tool?.callID ?? asked.id;
      const agent = this.#agentOf(asked);
      await this.#told(toolUseId);
      emit(
        translator.tools.start({ id: toolUseId, tool: 'AskUserQuestion', input: { questions }, ...agent }),
      );
      const reply = await host.ask('question', { questions, toolUseId, ...agent }, signal);
      if (signal.aborted) return;
      const summary = reply.answered ? 'Answered by a person.' : `Nobody answered: ${reply.why}`;
      translator.endsWith(toolUseId, { success: reply.answered, summary });
      const answers = reply.answered
        ? opencodeAnswers(asked.questions, reply.answers)
        : nobodyAnswered(asked.questions, reply.why);
      await this.#post(asked.id, `/question/${asked.id}/reply`, { answers });
    });
  }

  /** OpenCode has an answer; false when it is a consent that is none of ours. */
  settled({ requestID: id, reply }: Pick<WireReplied, 'requestID' | 'reply'>): boolean {
    const isOurs = this.#answered.has(id);
    // A refusal of another call, sent before we could hear of this one, was taken for a refusal of both.
    this.#open.get(id)?.abort(isOurs ? undefined : new RequestWithdrawn('superseded'));
    return isOurs || reply === 'reject';
  }

  /** The turn is about to be cut off; a call that ends then has not heard the refusal that waited for others. */
  dropRefusals(): void {
    for (const { toolUseId } of this.#refusals.drop()) this.#parts.translator.leftUntold(toolUseId);
  }

  /** Withdraws what is open. An abort leaves it open, and a late approval may run the command all the same (measured). */
  async withdraw(): Promise<void> {
    const { host, server } = this.#parts;
    this.close();
    this.dropRefusals();
    try {
      for (const { id } of WireOpen.parse(await server().get('/permission')))
        await this.#post(id, `/permission/${id}/reply`, { reply: 'reject' });
      for (const { id } of WireOpen.parse(await server().get('/question')))
        await this.#post(id, `/question/${id}/reject`);
    } catch (error) {
      host.log(`opencode: ${errorSentence(error)}`);
    }
  }

  close(): void {
    for (const withdrawn of this.#open.values()) withdrawn.abort();
  }

  async #take(id: string, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const withdrawn = new AbortController();
    this.#open.set(id, withdrawn);
    try {
      await act(withdrawn.signal);
    } catch (error) {
      this.#parts.host.log(`opencode ${id}: ${errorSentence(error)}`);
    }
    this.#open.delete(id);
  }

  async #tellRefusals(session: string, id: string): Promise<void> {
    const [first, ...others] = this.#refusals.closed(session, id);
    if (!first) return;
    // OpenCode answers the others by itself, and its event of that may overtake the answer to the call.
    for (const other of others) this.#answered.add(other.id);
    const reply = { reply: 'reject', message: wordsOfAll([first, ...others]) };
    try {
      await this.#post(first.id, `/permission/${first.id}/reply`, reply);
    } catch (error) {
      this.#parts.host.log(`opencode ${first.id}: ${errorSentence(error)}`);
    }
  }

  /** Who answers first is noted first, because the event of it may overtake the answer to the call. */
  async #post(id: string, path: string, body?: object): Promise<void> {
    this.#answered.add(id);
    try {
      await this.#parts.server().post(path, body);
    } catch (error) {
      // It is not asked any more.
      if (!(error instanceof CallFailed && error.status === 404)) throw error;
    }
  }

  async #wish(asked: WirePermission): Promise<OpencodeWish> {
    const { translator, launch } = this.#parts;
    const { permission, patterns, metadata = {}, tool } = asked;
    const toolUseId = tool?.callID ?? asked.id;
    if (tool) await this.#told(tool.callID);
    const call = translator.tools.find(toolUseId);
    const agent = this.#agentOf(asked);
    if (!call) return { tool: permission, input: { patterns, ...metadata }, toolUseId, permission, ...agent };
    const { description, ...input } = call.input;
    const isOwn = natural(permission, call.tool);
    const reason = call.tool === 'Bash' && typeof description === 'string' ? description : undefined;
    const file = permission === 'edit' ? fileOf(agentFolder(launch), { input, metadata }) : undefined;
    return {
      tool: call.tool,
      input: {
        ...(reason === undefined ? call.input : input),
        ...(metadata['diff'] === undefined ? {} : { diff: metadata['diff'] }),
        ...(isOwn ? {} : { permission, patterns }),
      },
      toolUseId,
      permission,
      ...agent,
      ...given({ file, reason }),
    };
  }

  async #told(callId: string): Promise<void> {
    const patience = new AbortController();
    const late = delay(toldWithinMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([this.#parts.translator.tools.started(callId), late]);
    patience.abort();
  }

  #agentOf({ sessionID }: { readonly sessionID: string }): { agentId?: string } {
    return sessionID === this.#parts.translator.sessionId ? {} : { agentId: sessionID };
  }
}

/** Whether a permission is about the call itself, and not about something besides, as a folder elsewhere. */
function natural(permission: string, tool: string): boolean {
  if (permission === 'edit') return tool === 'Edit' || tool === 'Write';
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  return tool.toLowerCase() === permission || `${server}_${name}` === permission;
}

/** The one file of an edit, where the call and the request name the same. */
function fileOf(
  cwd: string,
  {
    input,
    metadata,
  }: { readonly input: Record<string, unknown>; readonly metadata: Record<string, unknown> },
): string | undefined {
  const { file_path: named } = { file_path: undefined, ...input };
  const { filepath } = { filepath: undefined, ...metadata };
  if (typeof named !== 'string' || typeof filepath !== 'string') return undefined;
  return resolve(cwd, named) === resolve(cwd, filepath) ? filepath : undefined;
}
