// What a worker knows about Claude Code without loading its SDK, which only runners need.

import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import { stringField } from '../../protocol/string-field.js';
import type { Installed, RuntimeProfile } from '../runtime.js';
import { namedClaude } from './binary.js';
import { claudeCapabilities } from './capabilities.js';
import { checkClaudeLaunch } from './command.js';
import { readSavedSession } from './saved-session.js';

/** Claude Code as it is installed here. */
export const claudeProfile: RuntimeProfile = {
  name: 'claude',
  capabilities: claudeCapabilities,
  check: checkClaudeLaunch,
  installed: ({ env, packageFolder }) => {
    const own = installedByName(env);
    if (own) return own;
    const sdk = '@anthropic-ai/claude-agent-sdk';
    const program = `${sdk}-${process.platform}-${process.arch}`;
    const folder = packageFolder(sdk);
    const isThere = [program, `${program}-musl`].some((name) => {
      const place = folder === null ? null : packageFolder(name, folder);
      return place !== null && isExecutable(join(place, 'claude'));
    });
    if (folder === null || !isThere)
      return {
        found: false,
        missing: `Claude Code is not installed: npm puts it into ${program}, an optional dependency of Handraise, and it is not there or cannot be executed. Install Handraise again, with optional dependencies: npm install -g handraise --include=optional. Or name a Claude Code that you have in HANDRAISE_CLAUDE.`,
      };
    const version = stringField(readManifest(folder), 'claudeCodeVersion');
    return { found: true, ...given({ version }) };
  },
  savedSession: readSavedSession,
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

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readManifest(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
