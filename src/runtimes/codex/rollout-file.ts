import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const threadName = /^[\w-]{1,100}$/;
// Ten years of days; an agent could make more folders than anybody wants to look into.
const mostFolders = 4000;

/** The file in which Codex keeps a thread, or null when it has not written any: `sessions/2026/11/17/rollout-…-ID.jsonl`. */
export function rolloutFile(env: Readonly<Record<string, string>>, threadId: string): string | null {
  if (!threadName.test(threadId)) return null;
  for (const file of rolloutFiles(env)) if (file.endsWith(`-${threadId}.jsonl`)) return file;
  return null;
}

/** The files of all threads, those of the newest day first. */
export function* rolloutFiles(env: Readonly<Record<string, string>>): Generator<string> {
  let looked = 0;
  for (const day of daysIn(rolloutFolder(env))) {
    if (++looked > mostFolders) return;
    const names = filesIn(day).filter((name) => name.startsWith('rollout-') && name.endsWith('.jsonl'));
    for (const name of names.toSorted().toReversed()) yield join(day, name);
  }
}

/** The folder in which Codex keeps all threads. */
export function rolloutFolder(env: Readonly<Record<string, string>>): string {
  return join(env['CODEX_HOME'] ?? join(env['HOME'] ?? '/', '.codex'), 'sessions');
}

/** The folders of all days, newest first. */
function* daysIn(sessions: string): Generator<string> {
  for (const year of foldersIn(sessions)) for (const month of foldersIn(year)) yield* foldersIn(month);
}

function foldersIn(folder: string): string[] {
  const names = entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  return names
    .filter((name) => /^\d{2,4}$/.test(name))
    .toSorted()
    .toReversed()
    .map((name) => join(folder, name));
}

function filesIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
