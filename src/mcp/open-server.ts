import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  CancelTaskRequestSchema,
  ErrorCode,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  ListTasksRequestSchema,
  ListToolsRequestSchema,
  McpError,
  RELATED_TASK_META_KEY,
  type ServerNotification,
  type ServerRequest,
  type Tool as ToolDefinition,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Client } from '../client/client.js';
import { plainText } from '../domain/words/plain-text.js';
import type { Dispatch } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';
import { given } from '../protocol/given.js';
import { DispatchId } from '../protocol/id.js';
import type { Outcome } from '../protocol/outcome.js';
import { AskedPerson } from './asked-person.js';
import { followWork } from './follow-work.js';
import { SkillFailure } from './skill-failure.js';
import { type McpCall, type Tool, toolLabel } from './tool.js';
import { followedReport } from './tools/look.js';
import { skillLabel } from './tools/run-skill.js';
import { toolsFor } from './tools.js';
import { told } from './work-report.js';
import { workTask } from './work-task.js';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What a server for one MCP client is made from. */
export interface McpParts {
  /** The way to the worker with the rights of whoever sent this request. */
  readonly clientOf: (extra: Extra) => Client;
  readonly folder?: string;
  readonly readPipeline?: NonNullable<McpCall['readPipeline']>;
  readonly version: string;
  readonly now: () => number;
}

const instructions =
  'Handraise runs coding agents unattended. Give work with dispatch, wait for it with wait, look at what it changed with ' +
  'diff. When an agent asks something, a person answers it.';

/** A server for one client; it is not connected yet. */
export function openMcpServer(parts: McpParts): Server {
  const server = new Server(
    { name: 'handraise', title: 'Handraise', version: parts.version },
    {
      capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      instructions,
    },
  );
  const calls = new McpCalls(server, parts);
  server.setRequestHandler(ListToolsRequestSchema, async (_, extra) => {
    const identity = await parts.clientOf(extra).identity();
    return { tools: toolsFor(identity).map(definition) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => calls.call(params, extra));
  server.setRequestHandler(GetTaskRequestSchema, async ({ params }, extra) =>
    workTask(await calls.task(params.taskId, extra)),
  );
  server.setRequestHandler(GetTaskPayloadRequestSchema, ({ params }, extra) =>
    calls.taskResult(params.taskId, extra),
  );
  server.setRequestHandler(CancelTaskRequestSchema, ({ params }, extra) =>
    calls.cancelTask(params.taskId, extra),
  );
  server.setRequestHandler(ListTasksRequestSchema, async ({ params }, extra) => {
    const page = await parts.clientOf(extra).dispatches.list({
      mine: true,
      order: 'newest_first',
      limit: 50,
      ...given({ cursor: params?.cursor }),
    });
    const tasks = page.dispatches.filter(isOfTool).map(workTask);
    return { tasks, ...given({ nextCursor: page.next }) };
  });
  return server;
}

function definition({ name, title, description, input, isReading, kind }: Tool): ToolDefinition {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return {
    name,
    title,
    description,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of an object is one
    inputSchema: inputSchema as ToolDefinition['inputSchema'],
    annotations: { readOnlyHint: isReading, openWorldHint: !isReading },
    execution: { taskSupport: kind === 'work' ? 'optional' : 'forbidden' },
  };
}

/** A wait without end; whoever asked ends it. */
const untilItEnds = Number.POSITIVE_INFINITY;

class McpCalls {
  readonly #server: Server;
  readonly #parts: McpParts;

  constructor(server: Server, parts: McpParts) {
    this.#server = server;
    this.#parts = parts;
  }

  async call(
    params: { readonly name: string; readonly arguments?: unknown; readonly task?: unknown },
    extra: Extra,
  ) {
    const call = await this.#callOf(extra);
    const tool = toolsFor(call.identity).find(({ name }) => name === params.name);
    if (!tool)
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no tool ${plainText(params.name, { maxLength: 100 })}.`,
      );
    const isTask = params.task !== undefined;
    if (isTask && tool.kind !== 'work')
      throw new McpError(ErrorCode.MethodNotFound, `The tool ${tool.name} cannot be a task.`);
    const input = params.arguments ?? {};
    try {
      if (tool.kind === 'look') return await tool.run(input, call);
      const { dispatch, seconds } = await tool.begin(input, call);
      if (isTask) return { task: workTask(dispatch) };
      return await this.#ended(dispatch, call, seconds);
    } catch (error) {
      return refusedTool(error);
    }
  }

  /** Work that was given as a task, or with a tool that could have been one. */
  async task(taskId: string, extra: Extra): Promise<Dispatch> {
    const none = new McpError(ErrorCode.InvalidParams, 'There is no such task.');
    const id = DispatchId.safeParse(taskId).data;
    if (id === undefined) throw none;
    try {
      const dispatch = await this.#parts.clientOf(extra).dispatches.get(id);
      if (isOfTool(dispatch)) return dispatch;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    }
    throw none;
  }

  /** What the call of the tool would have given; it takes as long as the work does. */
  async taskResult(taskId: string, extra: Extra) {
    const dispatch = await this.task(taskId, extra);
    const call = await this.#callOf(extra, taskId);
    const related = { [RELATED_TASK_META_KEY]: { taskId } };
    try {
      return { ...(await this.#ended(dispatch, call, untilItEnds)), _meta: related };
    } catch (error) {
      return { ...refusedTool(error), _meta: related };
    }
  }

  async cancelTask(taskId: string, extra: Extra) {
    const dispatch = await this.task(taskId, extra);
    if (dispatch.state === 'ended')
      throw new McpError(ErrorCode.InvalidParams, 'This task has ended, so it cannot be cancelled.');
    return workTask(await this.#parts.clientOf(extra).dispatches.cancel(dispatch.id));
  }

  async #ended(begun: Dispatch, call: McpCall, seconds: number) {
    const isPatient = seconds === untilItEnds;
    const { dispatch, notes } = await followWork(begun.id, call, { seconds, isPatient });
    const { outcome } = dispatch;
    const skill = dispatch.labels?.[skillLabel];
    if (outcome && skill !== undefined && outcome.result !== 'succeeded')
      throw new SkillFailure(skill, {
        exitCode: outcome.exitCode,
        retriable: outcome.retriable,
        detail: failureDetail(outcome),
      });
    const result = told(await followedReport(call.client, dispatch, notes));
    return outcome && outcome.result !== 'succeeded' ? { ...result, isError: true } : result;
  }

  async #callOf(extra: Extra, taskId?: string): Promise<McpCall> {
    const client = this.#parts.clientOf(extra);
    const canAsk = this.#server.getClientCapabilities()?.elicitation?.form !== undefined;
    const identity = await client.identity();
    // oxlint-disable-next-line no-underscore-dangle -- MCP calls it so
    const progressToken = extra._meta?.progressToken;
    let steps = 0;
    return {
      client,
      identity,
      ...given({ folder: this.#parts.folder, readPipeline: this.#parts.readPipeline }),
      person:
        canAsk && identity.scope === 'full' ? new AskedPerson(this.#server, extra.requestId, taskId) : null,
      signal: extra.signal,
      now: this.#parts.now,
      progress: async (message) => {
        if (progressToken === undefined) return;
        steps += 1;
        const params = { progressToken, progress: steps, message };
        await extra.sendNotification({ method: 'notifications/progress', params });
      },
    };
  }
}

/** Why a skill failed: what is known about it, and the end of what it printed. */
function failureDetail({ summary, reason, result, output }: Outcome): string {
  const why = plainText(summary ?? reason ?? result, { maxLength: 2000 });
  return output === undefined ? why : `${why}\n${plainText(output, { maxLength: 2000 })}`;
}

/** What was refused is told as the result of the tool, so that a model can read why; what is no refusal is thrown on. */
function refusedTool(error: unknown) {
  if (!(error instanceof Failure)) throw error;
  const text = plainText(error.message, { maxLength: 4000 });
  return { content: [{ type: 'text' as const, text }], isError: true, _meta: { code: error.code } };
}

function isOfTool({ labels }: Dispatch): boolean {
  return labels?.[toolLabel] !== undefined;
}
