import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';

export interface ClientOptions {
  /** How the person of this client fills in a form; without it the client cannot ask. */
  readonly person?: (message: string) => ElicitResult | Promise<ElicitResult>;
}

/** An MCP client of the official SDK over this transport. */
export async function connectMcp(transport: Transport, { person }: ClientOptions = {}) {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: person ? { elicitation: { form: {} } } : {} },
  );
  if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params.message));
  await client.connect(transport);
  return {
    client,
    /** What a tool told. */
    tool: async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })) as CallToolResult & {
        readonly structuredContent?: Record<string, never>;
      },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The worker's own MCP server. */
export async function connectHttp(url: string, token: string, options: ClientOptions = {}) {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  return await connectMcp(transport, options);
}

/** The words of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
