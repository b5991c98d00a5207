// What a worker knows about Claude Code without loading its SDK, which only runners need.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import { stringField } from '../../protocol/string-field.js';
import type { Installed, RuntimeProfile } from '../runtime.js';
import { namedClaude, notSupplied, suppliedClaude } from './binary.js';
import { claudeCapabilities } from './capabilities.js';
import { checkClaudeLaunch } from './command.js';
import { ClaudeLivingSessions } from './living-sessions.js';
import { claudeModelUrl, claudePreflight } from './preflight.js';
import { readSavedSession } from './saved-session.js';
import { claudeTerminal } from './terminal.js';

/** Claude Code as it is installed here. */
export const claudeProfile: RuntimeProfile = {
  name: 'claude',
  capabilities: claudeCapabilities,
  check: checkClaudeLaunch,
  installed: ({ env, packageFolder }) => {
    const own = installedByName(env);
    if (own) return own;
    const copy = suppliedClaude(packageFolder);
    if (copy === null) return { found: false, missing: notSupplied() };
    const { folder } = copy;
    const version = stringField(readManifest(folder), 'claudeCodeVersion');
    return { found: true, ...given({ version }) };
  },
  preflight: claudePreflight,
  modelUrl: claudeModelUrl,
  savedSession: readSavedSession,
  terminal: claudeTerminal,
  livingSessions: new ClaudeLivingSessions(),
};

/** The Claude Code that was named; null where none was. */
function installedByName(env: Readonly<Record<string, string>>): Installed | null {
  try {
    const program = namedClaude(env);
    return program === null ? null : { found: true, program };
  } catch (error) {
    return { found: false, missing: errorSentence(error) };
  }
}

function readManifest(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
