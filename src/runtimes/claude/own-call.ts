import { given } from '../../protocol/given.js';
import type { CalledTool } from '../../workspace-tools/workspace-tool.js';
import type { ToolLedger } from '../tool-ledger.js';
import { isRecord } from './wire.js';

/** The name under which Claude Code tells a server the call that it makes (measured, 2.1). */
const toolUseKey = 'claudecode/toolUseId';

/** The call of a tool of ours, by what the SDK hands to its handler; `tool` is its name as the agent knows it. */
export function ownCall(
  extra: unknown,
  { tool, calls }: { readonly tool: string; readonly calls: Pick<ToolLedger, 'find' | 'openCalls'> },
): CalledTool {
  const fields = isRecord(extra) ? extra : {};
  const meta = isRecord(fields['_meta']) ? fields['_meta'] : {};
  const told = meta[toolUseKey];
  const [only, ...others] = calls.openCalls(tool);
  const toolUseId = typeof told === 'string' ? told : others.length === 0 && only ? only.id : tool;
  const signal = fields['signal'] instanceof AbortSignal ? fields['signal'] : new AbortController().signal;
  return { toolUseId, signal, ...given({ agentId: calls.find(toolUseId)?.agentId }) };
}
