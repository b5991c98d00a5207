import type { PermissionMode } from '../../protocol/posture.js';
import type { Incoming, JsonRpc } from '../json-rpc.js';
import type { Launch, RuntimeFact, RuntimeHost } from '../runtime.js';
import { formContent, formQuestions, toolApproval } from './elicitation.js';
import { Gatekeeper, type Wish } from './gatekeeper.js';
import { callOf, type OwnTools, toolReply } from './own-tools.js';
import { questionsOf, replyOf } from './questions.js';
import { commandCall, dynamicName, type ToolCall } from './tool-call.js';
import type { Translator } from './translate.js';
import { readRequest, type WireRequest } from './wire.js';

type Request = Extract<Incoming, { kind: 'request' }>;
type Params<Kind extends WireRequest['kind']> = WireRequest<Kind>['params'];

/** What a request is about. */
interface Subject {
  readonly threadId: string;
  readonly turnId?: string | null | undefined;
  readonly itemId: string;
  readonly reason?: string | null | undefined;
}

export interface DeskOutside {
  readonly launch: Pick<Launch, 'cwd' | 'toolPreset'>;
  readonly host: Pick<RuntimeHost, 'ask' | 'log'>;
  readonly rpc: JsonRpc;
  readonly tools: OwnTools;
  readonly translator: Translator;
  readonly mode: () => PermissionMode;
  readonly emit: (facts: readonly RuntimeFact[]) => void;
}

/** Where Codex's own requests are answered: approvals, questions, calls of our tools. */
export class Desk {
  readonly #outside: DeskOutside;
  readonly #gate: Gatekeeper;
  readonly #open = new Map<Request['id'], AbortController>();

  constructor(outside: DeskOutside) {
    this.#outside = outside;
    this.#gate = new Gatekeeper({
      launch: outside.launch,
      mode: outside.mode,
      ask: outside.host.ask,
      tell: async ({ threadId, turnId }, text) => {
        const input = [{ type: 'text', text, text_elements: [] }];
        // The turn may be over; then nobody is there to be told.
        await outside.rpc.call('turn/steer', { threadId, expectedTurnId: turnId, input }).catch(() => {});
      },
    });
  }

  async take(request: Request): Promise<void> {
    const { rpc, emit, host } = this.#outside;
    const read = readRequest(request.method, request.params);
    if (!read) {
      emit([{ type: 'unrecognized', raw: { method: request.method, params: request.params } }]);
      rpc.refuse(request.id, 'Nobody here knows how to answer this.');
      return;
    }
    const withdrawn = new AbortController();
    this.#open.set(request.id, withdrawn);
    try {
      const reply = await this.#reply(read, withdrawn.signal);
      if (!withdrawn.signal.aborted) rpc.answer(request.id, reply);
    } catch (error) {
      host.log(`codex ${request.method}: ${String(error)}`);
      rpc.refuse(request.id, 'The answer could not be made.');
    }
    this.#open.delete(request.id);
  }

  /** Codex waits for this answer no more: it has it, or its turn is over. */
  resolved(id: Request['id']): void {
    this.#open.get(id)?.abort();
  }

  close(): void {
    for (const withdrawn of this.#open.values()) withdrawn.abort();
  }

  async #reply(request: WireRequest, signal: AbortSignal): Promise<object> {
    switch (request.kind) {
      case 'item/commandExecution/requestApproval':
        return { decision: await this.#gate.decide(this.#commandWish(request.params), signal) };
      case 'item/fileChange/requestApproval':
        return { decision: await this.#gate.decide(this.#editWish(request.params), signal) };
      case 'item/permissions/requestApproval':
        return await this.#permissions(request.params, signal);
      case 'item/tool/requestUserInput':
        return await this.#question(request.params, signal);
      case 'item/tool/call':
        return await this.#ownTool(request.params, signal);
      case 'mcpServer/elicitation/request':
        return await this.#elicitation(request.params, signal);
      default:
        return request satisfies never;
    }
  }

  #commandWish(params: Params<'item/commandExecution/requestApproval'>): Wish {
    const { tool, input } = commandCall(params, this.#outside.launch.cwd);
    const { networkApprovalContext: network, additionalPermissions: permissions } = params;
    const more = { ...(network ? { network } : {}), ...(permissions ? { permissions } : {}) };
    return this.#wish({ tool, input: { ...input, ...more } }, params);
  }

  /** The request itself tells no diff; the item that it is about has told it. */
  #editWish(params: Params<'item/fileChange/requestApproval'>): Wish {
    const { grantRoot, itemId } = params;
    const input = this.#outside.translator.tools.find(itemId)?.input ?? {};
    return this.#wish({ tool: 'Edit', input: { ...input, ...(grantRoot ? { grantRoot } : {}) } }, params);
  }

  async #permissions(
    params: Params<'item/permissions/requestApproval'>,
    signal: AbortSignal,
  ): Promise<object> {
    const { permissions } = params;
    const wish = this.#wish({ tool: 'RequestPermissions', input: { permissions } }, params);
    const decision = await this.#gate.decide(wish, signal);
    if (decision === 'decline') return { permissions: {}, scope: 'turn' };
    return { permissions, scope: decision === 'acceptForSession' ? 'session' : 'turn' };
  }

  /** Codex shows no call for a question, so that its start is told here. */
  async #question(params: Params<'item/tool/requestUserInput'>, signal: AbortSignal): Promise<object> {
    const { host, translator, emit } = this.#outside;
    const questions = questionsOf(params);
    const agent = this.#agentOf(params.threadId);
    const id = params.itemId;
    emit(translator.tools.start({ id, tool: 'AskUserQuestion', input: { questions }, ...agent }));
    const reply = await host.ask('question', { questions, toolUseId: id, ...agent }, signal);
    if (signal.aborted) return {};
    const summary = reply.answered ? 'Answered by a person.' : `Nobody answered: ${reply.why}`;
    translator.answered(id, { success: reply.answered, summary });
    if (reply.answered) return replyOf(params, reply.answers);
    const words = `user_note: ${summary} Do not take this for an answer.`;
    return { answers: Object.fromEntries(params.questions.map((each) => [each.id, { answers: [words] }])) };
  }

  async #ownTool(params: Params<'item/tool/call'>, signal: AbortSignal): Promise<object> {
    const tool = this.#outside.tools.find(params);
    if (!tool) return toolReply(`There is no tool ${params.tool}.`, false);
    if (tool.access === 'write') {
      const input = this.#outside.translator.tools.find(params.callId)?.input ?? {};
      const wish = this.#wish({ tool: dynamicName(params), input }, { ...params, itemId: params.callId });
      if ((await this.#gate.decide(wish, signal)) === 'decline')
        return toolReply('This action was denied.', false);
    }
    return await callOf(tool, params.arguments);
  }

  async #elicitation(params: Params<'mcpServer/elicitation/request'>, signal: AbortSignal): Promise<object> {
    const { host, translator } = this.#outside;
    const input = toolApproval(params);
    if (input) {
      const call = translator.tools.newest(`mcp__${params.serverName}__`);
      const wish = this.#wish(
        { tool: call?.tool ?? `mcp__${params.serverName}`, input },
        { ...params, itemId: call?.id ?? params.serverName },
      );
      const decision = await this.#gate.decide(wish, signal);
      if (decision === 'decline') return { action: 'decline', content: null, _meta: null };
      return { action: 'accept', content: {}, _meta: decision === 'accept' ? null : { persist: 'session' } };
    }
    const questions = formQuestions(params);
    if (questions.length === 0) return { action: 'decline', content: null, _meta: null };
    const toolUseId = translator.tools.newest(`mcp__${params.serverName}__`)?.id ?? params.serverName;
    const reply = await host.ask(
      'question',
      { questions, toolUseId, ...this.#agentOf(params.threadId) },
      signal,
    );
    if (!reply.answered) return { action: 'cancel', content: null, _meta: null };
    return { action: 'accept', content: formContent(params, reply.answers), _meta: null };
  }

  #wish(call: ToolCall, about: Subject): Wish {
    const { threadId, turnId, itemId, reason } = about;
    return {
      ...call,
      toolUseId: itemId,
      threadId,
      turnId: turnId ?? undefined,
      ...this.#agentOf(threadId),
      ...(reason ? { reason } : {}),
    };
  }

  #agentOf(threadId: string): { agentId?: string } {
    return threadId === this.#outside.translator.threadId ? {} : { agentId: threadId };
  }
}
