import * as z from 'zod';
import { AgentAccount, AgentCommand, AgentModel, AgentServer } from '../../protocol/agent-report.js';
import { ThreadId } from '../../protocol/id.js';
import { ApiRoutes, json, route } from '../api-routes.js';

const common = {
  method: 'get',
  tags: ['threads'] as [string],
  request: { params: z.object({ id: ThreadId.describe('The thread.') }) },
  'x-problems': ['unsupported_by_runtime', 'conflict', 'unavailable'] as const,
} as const;

/** What the running agent of a thread says about itself. */
export const threadAgent = new ApiRoutes();

threadAgent.openapi(
  route({
    ...common,
    path: '/{id}/models',
    operationId: 'listAgentModels',
    summary: 'List the models that the running agent can use',
    responses: { 200: json(z.object({ models: z.array(AgentModel) }), 'Models; others may work, too.') },
  }),
  async (c) => c.json({ models: await c.env.host.agents.models(c.req.valid('param').id) }, 200),
);

threadAgent.openapi(
  route({
    ...common,
    path: '/{id}/commands',
    operationId: 'listAgentCommands',
    summary: 'List the commands that the running agent takes in a message',
    responses: { 200: json(z.object({ commands: z.array(AgentCommand) }), 'Commands, without the slash.') },
  }),
  async (c) => c.json({ commands: await c.env.host.agents.commands(c.req.valid('param').id) }, 200),
);

threadAgent.openapi(
  route({
    ...common,
    path: '/{id}/mcp-servers',
    operationId: 'listAgentServers',
    summary: 'List the MCP servers of the running agent and whether they work',
    responses: { 200: json(z.object({ servers: z.array(AgentServer) }), 'The MCP servers.') },
  }),
  async (c) => c.json({ servers: await c.env.host.agents.servers(c.req.valid('param').id) }, 200),
);

threadAgent.openapi(
  route({
    ...common,
    path: '/{id}/account',
    operationId: 'getAgentAccount',
    summary: 'Read which account the running agent uses',
    responses: { 200: json(AgentAccount, 'What the agent says of its account; nothing of its keys.') },
  }),
  async (c) => c.json(await c.env.host.agents.account(c.req.valid('param').id), 200),
);
