import { join } from 'node:path';
import * as z from 'zod';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import type { StatusFact } from '../../protocol/status.js';
import { callWords } from './open-call.js';

const mostBytes = 2 ** 20;

/** The folder into which our hooks write, beside Claude Code's own files: one file for each of its processes. */
export function hookFolder(config: string): string {
  return join(config, 'handraise-observed');
}

const News = z.looseObject({
  session_id: z.string(),
  hook_event_name: z.string(),
  agent_id: z.string().optional(),
  notification_type: z.string().optional(),
  tool_name: z.string().optional(),
  tool_input: z.record(z.string(), z.unknown()).optional(),
});

/** What the last hook of a Claude Code said. */
export interface HookNews {
  readonly sessionId: string;
  readonly fact: StatusFact;
  /** What it asks. */
  readonly asked?: string;
}

/** The hooks that tell something, and what each means; a notification means something only where it is about a question. */
export const hookFacts: Readonly<Record<string, StatusFact>> = {
  SessionStart: 'said_idle',
  UserPromptSubmit: 'said_busy',
  PreToolUse: 'said_busy',
  PostToolUse: 'said_busy',
  PermissionRequest: 'said_asking',
  Notification: 'said_asking',
  Stop: 'said_idle',
};

const asking = new Set(['permission_prompt', 'agent_needs_input', 'elicitation_dialog']);

/** What the hooks of the process with this pid said last; null where they said nothing, or nothing that can be read. */
export function readHookNews(config: string, pid: number): HookNews | null {
  const file = join(hookFolder(config), `${pid}.json`);
  const read = readBoundedFile(file, { limit: mostBytes, followLink: false });
  return read.ok ? hookNews(parsed(read.text)) : null;
}

export function hookNews(value: unknown): HookNews | null {
  const news = News.safeParse(value);
  if (!news.success) return null;
  const { session_id: sessionId, hook_event_name: name, tool_name: tool, tool_input: input } = news.data;
  const fact = Object.hasOwn(hookFacts, name) ? hookFacts[name] : undefined;
  if (fact === undefined) return null;
  if (name === 'Notification' && !asking.has(news.data.notification_type ?? '')) return null;
  const isAsked = name === 'PermissionRequest' && tool !== undefined;
  return { sessionId, fact, ...(isAsked && { asked: callWords(tool, input ?? {}) }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
