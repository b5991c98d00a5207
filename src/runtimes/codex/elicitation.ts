import * as z from 'zod';
import { canonicalJson } from '../../domain/prompts/fingerprint.js';
import { type Elicitation, type ElicitationReply, unansweredKey } from '../elicitation.js';
import type { OpenCall } from '../tool-ledger.js';
import type { WireRequest } from './wire.js';

type WireElicitation = WireRequest<'mcpServer/elicitation/request'>['params'];

const Approval = z.looseObject({
  codex_approval_kind: z.literal('mcp_tool_call'),
  tool_params: z.record(z.string(), z.unknown()).optional(),
});

/** The input of a server's tool, when Codex asks whether it may be called; it does so in the form of a question. */
export function toolApproval({ _meta }: WireElicitation): Record<string, unknown> | null {
  const approval = Approval.safeParse(_meta);
  return approval.success ? (approval.data.tool_params ?? {}) : null;
}

/**
 * The call that an approval is about. Codex names only the server and the input, and several calls may be open: where more
 * than one tool was called with this input nobody can tell which one is meant, and nothing is claimed.
 */
export function calledTool(open: readonly OpenCall[], input: Record<string, unknown>): OpenCall | undefined {
  const [only, ...others] = open;
  if (only && others.length === 0) return only;
  const wanted = canonicalJson(input);
  const [first, ...more] = open.filter((call) => canonicalJson(call.input) === wanted);
  return first && more.every(({ tool }) => tool === first.tool) ? first : undefined;
}

/** What a server asks, where it is not Codex that asks about a call. */
export function wantedOf({ mode, url = '', requestedSchema: schema }: WireElicitation): Elicitation['wants'] {
  return mode === 'url' ? { mode, url } : { mode: 'form', schema };
}

/** The answer as Codex takes it, every field given. */
export function elicitationReply(reply: ElicitationReply): object {
  const { action } = reply;
  const content = action === 'accept' ? (reply.content ?? {}) : null;
  const why = action === 'cancel' ? reply.unanswered : undefined;
  return { action, content, _meta: why === undefined ? null : { [unansweredKey]: why } };
}
