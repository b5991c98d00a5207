import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { SavedSession } from '../../domain/run/saved-session.js';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { messageUuid } from '../message-uuid.js';
import type { SavedSessionPlace } from '../runtime.js';
import { sessionLines } from '../session-lines.js';
import { sessionFile } from './session-file.js';

const mostChildren = 1000;
const mostMetaBytes = 64 * 1024;

const Entry = z.object({
  type: z.enum(['user', 'assistant']),
  uuid: z.string(),
  message: z.object({ content: z.unknown() }),
});
const Child = z.object({ toolUseId: z.string() });
const ToolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown().optional(),
});
/** What Claude Code itself writes for a call that an interrupt ended (2.1.325); nothing that we say begins so. */
const cutOffWords = ["The user doesn't want to proceed with this tool use.", '[Tool call interrupted'];

/**
 * What Claude Code has written of a session, which is all that its next life knows. It writes some milliseconds after
 * it acts: what a hook reported may be missing here when the process was killed. Null when nothing was written at all.
 */
export async function readSavedSession(place: SavedSessionPlace): Promise<SavedSession | null> {
  const file = sessionFile(place.env, place.sessionId);
  if (file === null) return null;
  const uuids = new Set<string>();
  const results = new Set<string>();
  const cutOff = new Set<string>();
  const note = (entry: z.infer<typeof Entry>) => {
    for (const result of resultsIn(entry)) {
      results.add(result.tool_use_id);
      if (isCutOff(result)) cutOff.add(result.tool_use_id);
    }
  };
  for await (const entry of entriesOf(file)) {
    uuids.add(entry.uuid);
    note(entry);
  }
  if (uuids.size === 0) return null;
  for (const child of await childrenOf(file)) {
    // What a sub-agent was told is lost with it, unless it has reported back.
    if (!results.has(child.toolUseId)) continue;
    for await (const entry of entriesOf(child.file)) note(entry);
  }
  return {
    hasResult: (toolUseId) => results.has(toolUseId),
    isCutOff: (toolUseId) => cutOff.has(toolUseId),
    hasMessage: (uuid) => uuids.has(messageUuid(place.run, uuid)),
  };
}

/** The files of sub-agents, each with the call that started it. */
async function childrenOf(file: string): Promise<{ readonly file: string; readonly toolUseId: string }[]> {
  const folder = join(file.slice(0, -'.jsonl'.length), 'subagents');
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = new Set(found.filter((entry) => entry.isFile()).map(({ name }) => name));
  const children = [...names].flatMap((name) => {
    const [, stem] = /^(.*)\.meta\.json$/.exec(name) ?? [];
    return stem !== undefined && names.has(`${stem}.jsonl`) ? [join(folder, stem)] : [];
  });
  return children.slice(0, mostChildren).flatMap((stem) => {
    const read = readBoundedFile(`${stem}.meta.json`, { limit: mostMetaBytes, followLink: false });
    const child = Child.safeParse(read.ok ? parsed(read.text) : null);
    return child.success ? [{ file: `${stem}.jsonl`, toolUseId: child.data.toolUseId }] : [];
  });
}

async function* entriesOf(file: string): AsyncGenerator<z.infer<typeof Entry>> {
  for await (const line of sessionLines(file)) {
    const entry = readEntry(line);
    if (entry) yield entry;
  }
}

function readEntry(line: string): z.infer<typeof Entry> | null {
  const read = Entry.safeParse(parsed(line));
  return read.success ? read.data : null;
}

/** The last line may be cut. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isCutOff({ content }: z.infer<typeof ToolResult>): boolean {
  return typeof content === 'string' && cutOffWords.some((words) => content.startsWith(words));
}

function resultsIn({ type, message }: z.infer<typeof Entry>): z.infer<typeof ToolResult>[] {
  if (type !== 'user' || !Array.isArray(message.content)) return [];
  return message.content.flatMap((block) => {
    const result = ToolResult.safeParse(block);
    return result.success ? [result.data] : [];
  });
}
