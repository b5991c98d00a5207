import { setImmediate as breath } from 'node:timers/promises';
import * as z from 'zod';
import type { ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { cutText } from '../../protocol/cut-text.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { StoredAttempt, StoredDispatch } from '../../store/stored-dispatch.js';
import type { StoredEvent } from '../../store/stored-event.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { Attributes, TraceSpan } from './span.js';
import { spanIdOf, traceIdOf } from './span-ids.js';

// Names of tools and models come from agents.
const longestName = 200;
const longestText = 10_000;
const mostSpans = 2000;
// A megabyte is parsed in about ten milliseconds; what else the worker does comes in between.
const mostAtOnce = 1_000_000;
const leastPerEvent = 2000;

/** The thread that a dispatch is in, as far as a trace tells of it. */
export type TracedThread = Pick<StoredThread, 'id' | 'runtime'>;

export interface TracedAttempt {
  readonly dispatch: StoredDispatch;
  readonly thread: TracedThread;
  /** From 1. */
  readonly attempt: number;
  /** What was committed to the thread while it was under way. */
  readonly events: readonly StoredEvent[];
  /** Whether what people and agents said and did is told too. */
  readonly withTexts: boolean;
}

/** The whole of a dispatch, from the moment it was given until it ended. */
export function dispatchSpan(dispatch: StoredDispatch, thread: TracedThread): TraceSpan {
  const { id, outcome, attempts } = dispatch;
  const start = Date.parse(dispatch.createdAt);
  return {
    traceId: traceIdOf(id),
    spanId: spanIdOf(id),
    name: 'dispatch',
    start,
    end: after(start, dispatch.endedAt),
    attributes: {
      ...aboutThread(thread),
      'handraise.operation.name': 'dispatch',
      'handraise.dispatch.id': id,
      'handraise.dispatch.actor': name(dispatch.actor),
      'handraise.dispatch.attempts': attempts.length,
      ...aboutOutcome(outcome),
    },
    ...failed(outcome),
  };
}

/** The spans of a try, and how many more it would have. */
export interface AttemptTold {
  readonly spans: readonly TraceSpan[];
  readonly cut: number;
}

/** A try that has ended, with its turns and their tool calls. */
export async function attemptSpans(traced: TracedAttempt): Promise<AttemptTold> {
  const { dispatch, thread, attempt } = traced;
  const row = dispatch.attempts[attempt - 1];
  if (!row) return { spans: [], cut: 0 };
  const { id } = dispatch;
  const start = Date.parse(row.startedAt);
  const own: TraceSpan = {
    traceId: traceIdOf(id),
    spanId: spanIdOf(id, 'attempt', attempt),
    parentSpanId: spanIdOf(id),
    name: `attempt ${attempt}`,
    start,
    end: after(start, row.endedAt),
    attributes: {
      ...aboutThread(thread),
      'handraise.operation.name': 'attempt',
      'handraise.dispatch.id': id,
      'handraise.attempt.number': attempt,
      'handraise.attempt.active_ms': row.activeMs,
      ...aboutOutcome(row.outcome),
    },
    ...failed(row.outcome),
  };
  const { spans, cut } = await turnSpans(traced, row);
  return { spans: [own, ...spans], cut };
}

/** The time in which the work waited for a person, or for whoever answered in a person's place. */
export function waitSpan(
  prompt: ThreadPrompt,
  {
    dispatchId,
    thread,
    now,
  }: { readonly dispatchId: StoredDispatch['id']; readonly thread: TracedThread; readonly now: number },
): TraceSpan {
  const start = Date.parse(prompt.createdAt);
  return {
    traceId: traceIdOf(dispatchId),
    spanId: spanIdOf(dispatchId, 'prompt', prompt.id),
    parentSpanId: spanIdOf(dispatchId),
    name: `wait_for_person ${prompt.kind}`,
    start,
    end: Math.max(start, prompt.acceptedAt === undefined ? now : Date.parse(prompt.acceptedAt)),
    attributes: {
      ...aboutThread(thread),
      'handraise.operation.name': 'wait_for_person',
      'handraise.dispatch.id': dispatchId,
      'handraise.prompt.id': prompt.id,
      'handraise.prompt.kind': prompt.kind,
      'handraise.prompt.state': prompt.state,
      'handraise.prompt.reason': prompt.reason,
      'handraise.prompt.actor': prompt.actor === undefined ? undefined : name(prompt.actor),
    },
  };
}

const Fact = z.looseObject({ type: z.string() });
const ToolStart = z.object({ id: z.string(), tool: z.string(), params: z.unknown() });
const ToolEnd = z.object({
  id: z.string(),
  tool: z.string(),
  success: z.boolean(),
  summary: z.string().catch(''),
  duration: z.number().catch(0),
});
const Result = z.object({
  success: z.boolean(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable().catch(null),
  cost: z.number().nullable().catch(null),
  text: z.string().optional().catch(undefined),
  errorKind: z.string().optional().catch(undefined),
  durationMs: z.number().optional().catch(undefined),
});
const Model = z.object({ model: z.string() });
const Said = z.object({ text: z.string() });

interface Turn {
  readonly startedAt: number;
  readonly said: string;
}

async function turnSpans(
  { dispatch, thread, attempt, events, withTexts }: TracedAttempt,
  row: StoredAttempt,
): Promise<AttemptTold> {
  const { id } = dispatch;
  const spans: TraceSpan[] = [];
  let cut = 0;
  const take = (span: TraceSpan) => {
    // The first place is that of the try.
    if (spans.length < mostSpans - 1) spans.push(span);
    else cut += 1;
  };
  const calls = new Map<string, { readonly at: number; readonly params: unknown }>();
  let turn: Turn | null = null;
  let number = 1;
  let model: string | undefined;
  const idOfTurn = () => spanIdOf(id, 'attempt', attempt, 'turn', number);
  let at = Date.parse(row.startedAt);
  let sinceBreath = 0;
  for (const event of events) {
    sinceBreath += Math.max(leastPerEvent, event.json.length);
    if (sinceBreath > mostAtOnce) {
      await breath();
      sinceBreath = 0;
    }
    const fact = factOf(event);
    const stated = Date.parse(event.timestamp);
    // Without a time that can be read, it is told as of the event before it.
    if (!Number.isNaN(stated)) at = stated;
    const known = Model.safeParse(fact);
    if (known.success) model = name(known.data.model);
    switch (event.type) {
      case 'user_message':
        turn ??= { startedAt: at, said: Said.safeParse(fact).data?.text ?? '' };
        break;
      case 'tool_start': {
        const { data } = ToolStart.safeParse(fact);
        if (data) calls.set(data.id, { at, params: data.params });
        break;
      }
      case 'tool_end': {
        const { data } = ToolEnd.safeParse(fact);
        if (!data) break;
        const call = calls.get(data.id);
        calls.delete(data.id);
        take({
          traceId: traceIdOf(id),
          spanId: spanIdOf(id, 'attempt', attempt, 'tool', data.id),
          parentSpanId: idOfTurn(),
          name: `execute_tool ${name(data.tool)}`,
          start: Math.min(at, call?.at ?? at - Math.max(0, data.duration)),
          end: at,
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': name(data.tool),
            'gen_ai.tool.call.id': name(data.id),
            'gen_ai.tool.type': 'function',
            'handraise.dispatch.id': id,
            ...(withTexts && {
              'gen_ai.tool.call.arguments': body(JSON.stringify(call?.params ?? {})),
              'gen_ai.tool.call.result': body(data.summary),
            }),
            ...(!data.success && { 'error.type': 'tool_error' }),
          },
          ...(!data.success && { error: withTexts ? body(data.summary) : 'the tool reported an error' }),
        });
        break;
      }
      case 'result': {
        const { data } = Result.safeParse(fact);
        if (!data) break;
        const start =
          turn?.startedAt ??
          (data.durationMs === undefined ? Date.parse(row.startedAt) : at - data.durationMs);
        take({
          traceId: traceIdOf(id),
          spanId: idOfTurn(),
          parentSpanId: spanIdOf(id, 'attempt', attempt),
          name: `invoke_agent ${name(thread.runtime)}`,
          start: Math.min(at, start),
          end: at,
          attributes: {
            ...aboutThread(thread),
            'gen_ai.operation.name': 'invoke_agent',
            'gen_ai.request.model': model,
            'gen_ai.usage.input_tokens': data.usage?.inputTokens,
            'gen_ai.usage.output_tokens': data.usage?.outputTokens,
            'handraise.dispatch.id': id,
            'handraise.cost_usd': data.cost ?? undefined,
            ...(withTexts && {
              'gen_ai.input.messages': message('user', turn?.said ?? ''),
              'gen_ai.output.messages': message('assistant', data.text ?? ''),
            }),
            ...(!data.success && { 'error.type': data.errorKind ?? '_OTHER' }),
          },
          ...(!data.success && { error: data.errorKind ?? 'the turn failed' }),
        });
        turn = null;
        number += 1;
        break;
      }
      default:
    }
  }
  return { spans, cut };
}

const providers: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'gcp.gemini',
};

function aboutThread({ id, runtime }: TracedThread): Attributes {
  return {
    'gen_ai.conversation.id': id,
    'gen_ai.agent.name': name(runtime),
    'gen_ai.provider.name': providers[runtime] ?? name(runtime),
  };
}

function aboutOutcome(outcome: Outcome | undefined): Attributes {
  if (!outcome) return {};
  return {
    'handraise.outcome.result': outcome.result,
    'handraise.outcome.exit_code': outcome.exitCode,
    'handraise.outcome.execution': outcome.execution.kind,
    'handraise.outcome.claim': outcome.claim,
    'handraise.outcome.verification': outcome.verification,
    ...(outcome.result === 'failed' && { 'error.type': name(outcome.reason ?? outcome.execution.kind) }),
  };
}

function failed(outcome: Outcome | undefined): { readonly error?: string } {
  return outcome?.result === 'failed' ? { error: name(outcome.reason ?? outcome.execution.kind) } : {};
}

function factOf({ json }: StoredEvent): unknown {
  try {
    return Fact.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

function after(start: number, end: string | undefined): number {
  return Math.max(start, end === undefined ? start : Date.parse(end));
}

function name(text: string): string {
  return cutText(text, longestName);
}

function body(text: string): string {
  return cutText(text, longestText);
}

function message(role: 'user' | 'assistant', content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content: body(content) }] }]);
}
