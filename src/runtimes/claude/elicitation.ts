import type { ElicitationResult, OnElicitation } from '@anthropic-ai/claude-agent-sdk';
import { askForServer, type Elicitation, type ElicitationReply, unansweredKey } from '../elicitation.js';
import { RequestWithdrawn, type RuntimeHost } from '../runtime.js';
import type { ToolLedger } from '../tool-ledger.js';
import type { ImpatientTools } from './impatient-tools.js';
import { mcpToolName } from './mcp-tool-name.js';

type Request = Parameters<OnElicitation>[0];

export interface ElicitationParts {
  readonly host: Pick<RuntimeHost, 'ask' | 'now'>;
  readonly tools: Pick<ToolLedger, 'openCalls' | 'find'>;
  readonly impatient: Pick<ImpatientTools, 'add'>;
  /** Whether the turn is being cancelled, so that nobody waits any more. */
  readonly isInterrupted: () => boolean;
}

/** Asks a person what an MCP server asks; without this the SDK declines by itself, and nobody hears of it (measured). */
export async function claudeElicitation(
  parts: ElicitationParts,
  request: Request,
  signal: AbortSignal,
): Promise<ElicitationResult> {
  const waiting = new AbortController();
  const elicitation = elicitationOf(parts, request);
  const withdraw = () => {
    if (parts.isInterrupted()) return waiting.abort();
    if (elicitation.tool !== undefined) parts.impatient.add(elicitation.tool);
    waiting.abort(new RequestWithdrawn('server_gave_up'));
  };
  if (signal.aborted) withdraw();
  signal.addEventListener('abort', withdraw, { once: true });
  try {
    return resultOf(await askForServer(parts.host, elicitation, waiting.signal));
  } finally {
    signal.removeEventListener('abort', withdraw);
  }
}

/** Claude Code names the server and no call (measured): where several are open, nobody can tell which one asks. */
function elicitationOf({ tools }: ElicitationParts, request: Request): Elicitation {
  const { serverName: server, message, mode, url = '', requestedSchema: schema } = request;
  const [call, ...others] = tools.openCalls(mcpToolName(server, ''));
  const only = call && others.length === 0 ? call : undefined;
  return {
    server,
    message,
    wants: mode === 'url' ? { mode, url } : { mode: 'form', schema },
    toolUseId: only?.id ?? server,
    tool: only?.tool,
    agentId: only && tools.find(only.id)?.agentId,
  };
}

/** Claude Code hands on no `_meta` (measured), and the content of any answer. */
function resultOf(reply: ElicitationReply): ElicitationResult {
  if (reply.action !== 'cancel') return reply;
  const { action, unanswered } = reply;
  return unanswered === undefined ? { action } : { action, content: { [unansweredKey]: unanswered } };
}
