import { errorSentence } from '../../protocol/error-sentence.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { askForServer } from '../elicitation.js';
import type { Incoming, JsonRpc } from '../json-rpc.js';
import { agentFolder } from '../launch-container.js';
import { messageUuid } from '../message-uuid.js';
import { type Launch, RequestWithdrawn, type RuntimeFact, type RuntimeHost } from '../runtime.js';
import { unrecognized } from '../unrecognized.js';
import { calledTool, elicitationReply, toolApproval, wantedOf } from './elicitation.js';
import { CodexGatekeeper, type Wish } from './gatekeeper.js';
import { type LaterQuestions, laterAnswers } from './later-questions.js';
import { callOf, type OwnTools, toolReply } from './own-tools.js';
import { codexQuestions, replyOf } from './questions.js';
import { commandCall, dynamicName, type ToolCall } from './tool-call.js';
import type { CodexTranslator } from './translate.js';
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

export interface ServerRequestsParts {
  readonly launch: Pick<Launch, 'cwd' | 'toolPreset'>;
  readonly host: Pick<RuntimeHost, 'ask' | 'log' | 'marker' | 'now'>;
  readonly rpc: JsonRpc;
  readonly tools: OwnTools;
  readonly translator: CodexTranslator;
  readonly mode: () => PermissionMode;
  readonly emit: (facts: readonly RuntimeFact[]) => void;
}

/** Answers Codex's own requests: approvals, questions, calls of our tools. */
export class ServerRequests {
  readonly #parts: ServerRequestsParts;
  readonly #gate: CodexGatekeeper;
  readonly #open = new Map<Request['id'], AbortController>();
  /** Those that an MCP server asks, in a turn that goes on, with the calls in which it may have asked. */
  readonly #ofServers = new Map<Request['id'], readonly string[]>();

  constructor(parts: ServerRequestsParts) {
    this.#parts = parts;
    this.#gate = new CodexGatekeeper({
      launch: parts.launch,
      mode: parts.mode,
      ask: parts.host.ask,
      tell: async ({ threadId, turnId, toolUseId }, text) => {
        const input = [{ type: 'text', text, text_elements: [] }];
        // Codex forgets it if the turn is cancelled before the model is asked again; the rollout says whether it was.
        const clientUserMessageId = messageUuid(parts.host.marker.value, toolUseId);
        const told = { threadId, expectedTurnId: turnId, clientUserMessageId, input };
        parts.translator.declined.add(toolUseId);
        // The turn may be over; then nobody is there to be told.
        await parts.rpc.call('turn/steer', told).catch(() => {});
      },
    });
  }

  async take(request: Request): Promise<void> {
    const { rpc, emit, host } = this.#parts;
    const read = readRequest(request.method, request.params);
    if (!read) {
      emit([unrecognized({ method: request.method, params: request.params })]);
      rpc.refuse(request.id, 'Nobody here knows how to answer this.');
      return;
    }
    const withdrawn = new AbortController();
    this.#open.set(request.id, withdrawn);
    if (read.kind === 'mcpServer/elicitation/request' && !toolApproval(read.params))
      this.#ofServers.set(request.id, this.#callsOf(read.params.serverName));
    try {
      const reply = await this.#reply(read, withdrawn.signal);
      if (!withdrawn.signal.aborted) rpc.answer(request.id, reply);
    } catch (error) {
      host.log(`codex ${request.method}: ${errorSentence(error)}`);
      rpc.refuse(request.id, 'The answer could not be made.');
    }
    this.#open.delete(request.id);
    this.#ofServers.delete(request.id);
  }

  /** Asks what Codex asks without waiting; the answer goes into the turn that runs by then. */
  async askLater({ id, questions }: LaterQuestions): Promise<void> {
    const { host, rpc, translator, emit } = this.#parts;
    const withdrawn = new AbortController();
    this.#open.set(id, withdrawn);
    const reply = await host.ask('question', { questions, toolUseId: id }, withdrawn.signal);
    this.#open.delete(id);
    if (withdrawn.signal.aborted) return;
    const text = reply.answered ? laterAnswers(reply.answers) : `Nobody answered your question: ${reply.why}`;
    const { threadId, turnId } = translator;
    const input = [{ type: 'text', text, text_elements: [] }];
    const told = rpc.call('turn/steer', { threadId, expectedTurnId: turnId, input });
    await told.catch(() => {
      const message = 'The answer came after the end of the turn that asked for it. Send it as a message.';
      emit([{ type: 'warning', message }]);
    });
  }

  /** Codex waits for this answer no more: it has it, or its turn is over. */
  resolved(id: Request['id']): void {
    const isOfServer = this.#ofServers.has(id);
    this.#open.get(id)?.abort(isOfServer ? new RequestWithdrawn('server_gave_up') : undefined);
  }

  /** A server whose call has ended waits no longer. Codex says so of the call, and now and then only later of the question. */
  callsEnded(): void {
    const { tools } = this.#parts.translator;
    for (const [id, calls] of this.#ofServers)
      if (calls.length > 0 && calls.every((call) => !tools.find(call))) this.resolved(id);
  }

  /** The turn is being cancelled: what is withdrawn from now on, nobody has given up. */
  turnIsCut(): void {
    this.#ofServers.clear();
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
    const { tool, input } = commandCall(params, agentFolder(this.#parts.launch));
    const { networkApprovalContext: network, additionalPermissions: permissions } = params;
    const more = { ...(network ? { network } : {}), ...(permissions ? { permissions } : {}) };
    return this.#wish({ tool, input: { ...input, ...more } }, params);
  }

  /** The request itself tells no diff; the item that it is about has told it. */
  #editWish(params: Params<'item/fileChange/requestApproval'>): Wish {
    const { grantRoot, itemId } = params;
    // A change that was not told equals no other one.
    const input = this.#parts.translator.tools.find(itemId)?.input ?? { item: itemId };
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
    return { permissions, scope: 'turn' };
  }

  /** Codex shows no call for a question, so that its start is told here. */
  async #question(params: Params<'item/tool/requestUserInput'>, signal: AbortSignal): Promise<object> {
    const { host, translator, emit } = this.#parts;
    const questions = codexQuestions(params);
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
    const tool = this.#parts.tools.find(params);
    if (!tool) return toolReply(`There is no tool ${params.tool}.`, false);
    if (tool.asksItself && this.#parts.mode() === 'dontAsk')
      return toolReply('Nobody is asked in this mode, so nothing can be proposed.', false);
    if (tool.access === 'write' && !tool.asksItself) {
      const input = this.#parts.translator.tools.find(params.callId)?.input ?? {};
      const wish = this.#wish({ tool: dynamicName(params), input }, { ...params, itemId: params.callId });
      if ((await this.#gate.decide(wish, signal)) === 'decline')
        return toolReply('This action was denied.', false);
    }
    const call = { toolUseId: params.callId, ...this.#agentOf(params.threadId), signal };
    return await callOf(tool, params.arguments, call);
  }

  async #elicitation(params: Params<'mcpServer/elicitation/request'>, signal: AbortSignal): Promise<object> {
    const { host, translator } = this.#parts;
    const input = toolApproval(params);
    if (input) {
      const call = calledTool(translator.tools.openCalls(`mcp__${params.serverName}__`), input);
      const wish = this.#wish(
        call
          ? { tool: call.tool, input }
          : { tool: `mcp__${params.serverName}`, input: { ...input, message: params.message ?? '' } },
        { ...params, itemId: call?.id ?? params.serverName },
      );
      const decision = await this.#gate.decide(wish, signal);
      if (decision === 'decline') return { action: 'decline', content: null, _meta: null };
      return { action: 'accept', content: {}, _meta: null };
    }
    const { serverName: server, message = '', threadId } = params;
    const [call, ...others] = this.#callsOf(server);
    const toolUseId = call !== undefined && others.length === 0 ? call : server;
    const wants = wantedOf(params);
    const about = { server, message, wants, toolUseId, ...this.#agentOf(threadId) };
    return elicitationReply(await askForServer(host, about, signal));
  }

  #callsOf(server: string): string[] {
    return this.#parts.translator.tools.openCalls(`mcp__${server}__`).map(({ id }) => id);
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
    return threadId === this.#parts.translator.threadId ? {} : { agentId: threadId };
  }
}
