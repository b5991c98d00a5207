import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const sessionName = /^[\w-]{1,100}$/;

/** The file in which Claude Code keeps a session, or null when it has not written any. */
export function sessionFile(env: Readonly<Record<string, string>>, sessionId: string): string | null {
  if (!sessionName.test(sessionId)) return null;
  const projects = join(configFolder(env), 'projects');
  const files = namesIn(projects).map((project) => join(projects, project, `${sessionId}.jsonl`));
  return files.find((file) => lstatSync(file, { throwIfNoEntry: false })?.isFile()) ?? null;
}

/** The folder in which Claude Code keeps what is the user's. */
export function configFolder(env: Readonly<Record<string, string>>): string {
  return env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? '/', '.claude');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
