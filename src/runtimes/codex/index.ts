import { join } from 'node:path';
import { needsInputPath } from '../../protocol/needs-input.js';
import type { Runtime } from '../runtime.js';
import { codexCapabilities } from './capabilities.js';
import { checkCodexLaunch } from './command.js';
import { CodexSession } from './session.js';
import { speaksOfCodexLogin } from './turn-error.js';

/** Codex through its app server. */
export const codex: Runtime = {
  name: 'codex',
  capabilities: codexCapabilities,
  needsInputSentinelPath: (launch) => join(launch.cwd, needsInputPath),
  speaksOfLogin: speaksOfCodexLogin,
  check: checkCodexLaunch,
  open: (launch, host) => new CodexSession(launch, host, join(launch.cwd, needsInputPath)),
};
