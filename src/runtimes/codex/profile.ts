// What a worker knows about Codex without talking to it.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import { stringField } from '../../protocol/string-field.js';
import type { RuntimeProfile } from '../runtime.js';
import { findCodex } from './binary.js';
import { codexCapabilities } from './capabilities.js';
import { checkCodexLaunch } from './command.js';
import { CodexLivingSessions } from './living-sessions.js';
import { codexLogin, codexProbe } from './preflight.js';
import { readCodexSession } from './saved-session.js';
import { codexTerminal } from './terminal.js';

/** Codex as it is installed here. */
export const codexProfile: RuntimeProfile = {
  name: 'codex',
  capabilities: codexCapabilities,
  check: checkCodexLaunch,
  installed: ({ env }) => {
    try {
      const program = findCodex(env);
      const version = versionOf(program);
      return { found: true, program, ...given({ version }) };
    } catch (error) {
      return { found: false, missing: errorSentence(error) };
    }
  },
  preflight: codexLogin,
  probe: codexProbe,
  savedSession: readCodexSession,
  terminal: codexTerminal,
  livingSessions: new CodexLivingSessions(),
};

/** The version of the npm package around the program; another install tells it only when it runs. */
function versionOf(binary: string): string | undefined {
  const manifest = join(dirname(binary), '..', '..', '..', 'package.json');
  if (!existsSync(manifest)) return undefined;
  return stringField(JSON.parse(readFileSync(manifest, 'utf8')), 'version')?.replace(
    /-(linux|darwin).*$/,
    '',
  );
}
