import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { wholeText } from '../domain/prompts/whole-text.js';
import { plainLine, plainText } from '../domain/words/plain-text.js';
import type { Dispatch } from '../protocol/dispatch.js';
import { given } from '../protocol/given.js';
import type { Prompt } from '../protocol/prompt.js';
import type { Thread } from '../protocol/thread.js';

// What an agent said is somebody's text from anywhere, and may be long.
const longestSummary = 20_000;
const longestLine = 500;

/** A piece of work as a tool tells of it. */
export function workReport(dispatch: Dispatch) {
  const { id, threadId, state, title, text, why, outcome, parent, createdAt, endedAt, notBefore } = dispatch;
  return {
    dispatch: id,
    thread: threadId,
    state,
    title: plainLine(title ?? text, { maxLength: longestLine }),
    createdAt,
    ...given({ endedAt, parent, notBefore }),
    ...(why !== undefined && { why: plainLine(why, { maxLength: longestLine }) }),
    ...(outcome && {
      result: outcome.result,
      exitCode: outcome.exitCode,
      retriable: outcome.retriable,
      ...given({ costUsd: outcome.costUsd }),
      ...(outcome.reason !== undefined && { reason: plainLine(outcome.reason, { maxLength: longestLine }) }),
      ...(outcome.summary !== undefined && {
        summary: plainText(outcome.summary, { maxLength: longestSummary }),
      }),
    }),
  };
}

/** An open prompt as a tool tells of it; what can be decided here has a digest or options. */
export function promptReport(prompt: Prompt, thread: Thread | undefined) {
  const { id, threadId, kind, action, deadline, createdAt } = prompt;
  const shown = wholeText(prompt, thread);
  return {
    prompt: id,
    thread: threadId,
    kind,
    text: shown.text,
    createdAt,
    ...given({ deadline }),
    ...(shown.isWhole
      ? given({ digest: action?.digest })
      : { notWhole: shown.why, decide: decideElsewhere(prompt) }),
  };
}

/** How a person decides in our own programs. */
export function decideElsewhere({ id }: Pick<Prompt, 'id'>): string {
  return `handraise answer ${id}`;
}

/** What a tool found, for programs and as text for those that read only that. */
export function told(found: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(found, null, 1) }], structuredContent: found };
}
