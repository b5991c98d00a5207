import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramCommand, Said } from '../../domain/run/terminal-session.js';
import { SaidFacts } from '../../domain/run/terminal-session.js';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { stringField } from '../../protocol/string-field.js';
import type { ProgramPlace, RuntimeTerminal, SessionInStore } from '../runtime-terminal.js';
import { sessionLines } from '../session-lines.js';
import { claudeProgram } from './binary.js';
import { listSessions } from './saved-sessions.js';
import { takeEntry } from './session-entry.js';
import { configFolder, sessionFile } from './session-file.js';

const mostStateBytes = 64 * 1024;

// A person is there to be asked. By itself Claude Code's terminal starts in auto mode, which may open dialogs (measured).
const keptModes: ReadonlySet<PermissionMode | undefined> = new Set(['acceptEdits', 'plan']);

/** Claude Code in a terminal. */
export const claudeTerminal: RuntimeTerminal = {
  placeVariables: ['CLAUDE_CONFIG_DIR'],
  command,
  // What comes later is appended.
  mark: async ({ env, sessionId }) => {
    const file = sessionFile(env, sessionId);
    return file === null ? null : String(statSync(file).size);
  },
  said,
  // It changes with /clear and /branch.
  current: ({ env, pid }) => {
    const file = join(configFolder(env), 'sessions', `${pid}.json`);
    const read = readBoundedFile(file, { limit: mostStateBytes, followLink: false });
    const id = read.ok ? stringField(parsed(read.text), 'sessionId') : undefined;
    return id ?? null;
  },
  list: listSessions,
};

function command({ env, sessionId, posture, packageFolder }: ProgramPlace): ProgramCommand {
  const { permissionMode = 'default', model } = posture;
  const mode = keptModes.has(permissionMode) ? permissionMode : 'default';
  return {
    file: posture.container ? 'claude' : claudeProgram({ env, packageFolder }),
    args: [
      '--resume',
      sessionId,
      '--permission-mode',
      mode,
      ...(model === undefined ? [] : ['--model', model]),
    ],
  };
}

async function said({ env, sessionId, after }: SessionInStore & { readonly after?: string }): Promise<Said> {
  const facts = new SaidFacts();
  const file = sessionFile(env, sessionId);
  if (file !== null)
    for await (const line of sessionLines(file, Number(after ?? 0))) takeEntry(parsed(line), facts);
  return facts.said;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever was killed may have left half a line.
    return null;
  }
}
