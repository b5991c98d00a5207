import * as z from 'zod';
import { type ModelRetry, StatusFact } from '../protocol/status.js';
import { callWords } from './claude/open-call.js';

/** What a line says about the agent that wrote it. */
export interface LineNews {
  readonly fact: StatusFact;
  readonly asked?: string;
  readonly retry?: ModelRetry;
}

const text = z.string();
/** What anybody can write who wants to be seen. */
const Plain = z.looseObject({ status: z.enum(['busy', 'idle', 'question']), prompt: text.optional() });
/** What a runner of ours writes. */
const Evidence = z.looseObject({ type: z.literal('status_evidence'), fact: StatusFact });
const Typed = z.looseObject({ type: text, subtype: text.optional(), state: text.optional() });
const Asked = z.looseObject({
  type: z.literal('control_request'),
  request: z.looseObject({
    subtype: z.literal('can_use_tool'),
    tool_name: text,
    input: z.record(text, z.unknown()).catch({}),
  }),
});

const plain = { busy: 'said_busy', idle: 'said_idle', question: 'said_asking' } as const;
const stated: Readonly<Record<string, StatusFact>> = {
  running: 'said_busy',
  idle: 'said_idle',
  requires_action: 'said_asking',
};

/** What Claude Code and Amp write with `--output-format stream-json` and `--stream-json`, and Codex with `exec --json`. */
const turns: Readonly<Record<string, StatusFact>> = {
  assistant: 'turn_started',
  user: 'turn_started',
  stream_event: 'turn_started',
  control_response: 'turn_started',
  control_cancel_request: 'turn_started',
  result: 'turn_ended',
  'turn.started': 'turn_started',
  'item.started': 'turn_started',
  'item.completed': 'turn_started',
  'turn.completed': 'turn_ended',
  'turn.failed': 'turn_ended',
};

/** Reads a line loosely; what it does not know is a sign of life and no more. */
export function lineNews(value: unknown): LineNews {
  const said = Plain.safeParse(value).data;
  if (said) return { fact: plain[said.status], ...(said.prompt !== undefined && { asked: said.prompt }) };
  const evidence = Evidence.safeParse(value).data;
  if (evidence) return { fact: evidence.fact };
  const call = Asked.safeParse(value).data;
  if (call) return { fact: 'said_asking', asked: callWords(call.request.tool_name, call.request.input) };
  const { type = '', subtype = '', state = '' } = Typed.safeParse(value).data ?? {};
  if (subtype === 'session_state_changed' && Object.hasOwn(stated, state))
    return { fact: stated[state] ?? 'sign_of_life' };
  if (subtype === 'init') return { fact: 'turn_started' };
  return { fact: (Object.hasOwn(turns, type) ? turns[type] : undefined) ?? 'sign_of_life' };
}
