// What a worker knows about OpenCode without talking to it.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import { stringField } from '../../protocol/string-field.js';
import { refusedProject } from '../refused-project.js';
import type { RuntimeProfile } from '../runtime.js';
import { findOpencode } from './binary.js';
import { opencodeCapabilities } from './capabilities.js';
import { checkOpencodeLaunch } from './command.js';
import { expectApprovedSettings } from './project-settings.js';
import { readOpencodeSession } from './saved-session.js';
import { opencodeTerminal } from './terminal.js';

/** OpenCode as it is installed here. */
export const opencodeProfile: RuntimeProfile = {
  name: 'opencode',
  capabilities: opencodeCapabilities,
  check: checkOpencodeLaunch,
  installed: ({ env }) => {
    try {
      const program = findOpencode(env);
      const version = versionOf(program);
      return { found: true, program, ...given({ version }) };
    } catch (error) {
      return { found: false, missing: errorSentence(error) };
    }
  },
  preflight: (launch) => refusedProject(launch, expectApprovedSettings),
  savedSession: readOpencodeSession,
  terminal: opencodeTerminal,
};

/** The version of the npm package around the program; another install tells it only when it runs. */
function versionOf(binary: string): string | undefined {
  const manifest = join(dirname(binary), '..', 'package.json');
  if (!existsSync(manifest)) return undefined;
  return stringField(JSON.parse(readFileSync(manifest, 'utf8')), 'version');
}
