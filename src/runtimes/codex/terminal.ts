import { statSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import { workspaceInside } from '../../domain/container/container-arguments.js';
import type { Said, SavedSessionEntry, SessionPlace } from '../../domain/run/terminal-session.js';
import { SaidFacts } from '../../domain/run/terminal-session.js';
import { readFileBeginning } from '../../process/files/bounded-file.js';
import { cutText } from '../../protocol/cut-text.js';
import type { RuntimeTerminal, SessionInStore } from '../runtime-terminal.js';
import { sessionLines } from '../session-lines.js';
import { findCodex } from './binary.js';
import { takeRolloutEntry } from './rollout-entry.js';
import { rolloutFile, rolloutFiles } from './rollout-file.js';

// Its first line holds all instructions of the model.
const lookedAtBytes = 512 * 1024;
const mostLooks = 1000;
const titleLength = 120;

const Meta = z.looseObject({
  type: z.literal('session_meta'),
  payload: z.looseObject({ id: z.string(), cwd: z.string(), source: z.unknown() }),
});

/** Codex in a terminal. */
export const codexTerminal: RuntimeTerminal = {
  placeVariables: ['CODEX_HOME'],
  // Without the option Codex leaves a daemon behind that keeps the session for a minute, and 436 MB (measured).
  command: ({ env, sessionId, cwd, posture: { model, container } }) => ({
    file: container ? 'codex' : findCodex(env),
    args: [
      '--disable',
      'daemon_auto_start',
      'resume',
      sessionId,
      '--cd',
      container ? workspaceInside : cwd,
      ...(model === undefined ? [] : ['--model', model]),
    ],
  }),
  mark: async ({ env, sessionId }) => {
    const file = rolloutFile(env, sessionId);
    return file === null ? null : String(statSync(file).size);
  },
  said,
  list,
};

async function said({ env, sessionId, after }: SessionInStore & { readonly after?: string }): Promise<Said> {
  const facts = new SaidFacts();
  const file = rolloutFile(env, sessionId);
  if (file !== null)
    for await (const line of sessionLines(file, Number(after ?? 0))) takeRolloutEntry(parsed(line), facts);
  return facts.said;
}

/** The threads that people have started in Codex's terminal, newest first. */
async function list({ env, limit }: SessionPlace & { readonly limit: number }): Promise<SavedSessionEntry[]> {
  const found: SavedSessionEntry[] = [];
  let looked = 0;
  for (const file of rolloutFiles(env)) {
    if (found.length >= limit || ++looked > mostLooks) break;
    const start = rolloutBeginning(file);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (start && stat) found.push({ runtime: 'codex', ...start, changedAt: stat.mtime.toISOString() });
  }
  return found.toSorted((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
}

/** Where a thread was started and what was typed first; null where a program started it, or nobody typed anything. */
export function rolloutBeginning(
  file: string,
): { sessionId: string; workspace: string; title: string } | null {
  const [first = '', ...lines] = (readFileBeginning(file, lookedAtBytes) ?? '').split('\n');
  const meta = Meta.safeParse(parsed(first));
  // What other programs start says so in other words.
  if (!meta.success || meta.data.payload.source !== 'cli') return null;
  const { id: sessionId, cwd: workspace } = meta.data.payload;
  if (!basename(file).endsWith(`-${sessionId}.jsonl`)) return null;
  const facts = new SaidFacts();
  for (const line of lines) takeRolloutEntry(parsed(line), facts);
  const typed = facts.said.facts.find(({ type }) => type === 'terminal_message');
  if (typed?.type !== 'terminal_message') return null;
  return { sessionId, workspace, title: cutText(typed.text.trim().split('\n', 1)[0] ?? '', titleLength) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Whoever was killed may have left half a line.
    return null;
  }
}
