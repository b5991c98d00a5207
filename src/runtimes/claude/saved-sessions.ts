import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { SavedSessionEntry, SessionPlace } from '../../domain/run/terminal-session.js';
import { SaidFacts } from '../../domain/run/terminal-session.js';
import { readBoundedFile, readFileBeginning } from '../../process/files/bounded-file.js';
import { cutText } from '../../protocol/cut-text.js';
import { given } from '../../protocol/given.js';
import { takeEntry } from './session-entry.js';
import { configFolder } from './session-file.js';

// The first message of a session stands near its beginning.
const lookedAtBytes = 256 * 1024;
const mostFiles = 10_000;
const mostStateBytes = 64 * 1024;
const titleLength = 120;

const Line = z.looseObject({ cwd: z.string(), entrypoint: z.string().optional() });
const Open = z.looseObject({ pid: z.int().positive(), sessionId: z.string() });

/** The sessions that people have started in Claude Code, newest first. */
export async function listSessions({
  env,
  limit,
}: SessionPlace & { readonly limit: number }): Promise<SavedSessionEntry[]> {
  const config = configFolder(env);
  const open = openSessions(join(config, 'sessions'));
  const found: SavedSessionEntry[] = [];
  for (const { file, sessionId, changedAt } of newestFiles(join(config, 'projects'))) {
    if (found.length >= limit) break;
    const start = beginningOf(file);
    if (!start) continue;
    found.push({
      runtime: 'claude',
      sessionId,
      ...start,
      changedAt: changedAt.toISOString(),
      ...given({ openIn: open.get(sessionId) }),
    });
  }
  return found;
}

function newestFiles(projects: string) {
  const files = entriesIn(projects).flatMap((project) =>
    project.isDirectory()
      ? entriesIn(join(projects, project.name)).flatMap((entry) => {
          const [, sessionId] = /^([\w-]{1,100})\.jsonl$/.exec(entry.name) ?? [];
          return entry.isFile() && sessionId !== undefined
            ? [{ file: join(projects, project.name, entry.name), sessionId }]
            : [];
        })
      : [],
  );
  return files
    .slice(0, mostFiles)
    .flatMap((each) => {
      const stat = statSync(each.file, { throwIfNoEntry: false });
      return stat ? [{ ...each, changedAt: stat.mtime }] : [];
    })
    .toSorted((a, b) => b.changedAt.getTime() - a.changedAt.getTime());
}

/** Where a session was started and what was said first; null where a program started it, or nobody said anything. */
export function beginningOf(file: string): { workspace: string; title: string } | null {
  const facts = new SaidFacts();
  let workspace: string | undefined;
  for (const text of (readFileBeginning(file, lookedAtBytes) ?? '').split('\n')) {
    const value = parsed(text);
    const line = Line.safeParse(value);
    if (line.success) {
      if (line.data.entrypoint?.startsWith('sdk')) return null;
      workspace ??= line.data.cwd;
    }
    takeEntry(value, facts);
    const first = facts.said.facts.find(({ type }) => type === 'terminal_message');
    if (first?.type !== 'terminal_message' || workspace === undefined) continue;
    return { workspace, title: cutText(first.text.trim().split('\n', 1)[0] ?? '', titleLength) };
  }
  return null;
}

/** The sessions that some program says it has open; whether it lives is looked at by whoever needs it. */
function openSessions(folder: string): Map<string, number> {
  const open = new Map<string, number>();
  for (const entry of entriesIn(folder).slice(0, mostFiles)) {
    if (!/^\d+\.json$/.test(entry.name)) continue;
    const read = readBoundedFile(join(folder, entry.name), { limit: mostStateBytes, followLink: false });
    const state = Open.safeParse(read.ok ? parsed(read.text) : null);
    if (state.success) open.set(state.data.sessionId, state.data.pid);
  }
  return open;
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
