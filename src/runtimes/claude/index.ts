import { join } from 'node:path';
import { needsInputPath } from '../../protocol/needs-input.js';
import type { Runtime } from '../runtime.js';
import { claudeCapabilities } from './capabilities.js';
import { checkClaudeLaunch } from './command.js';
import { ClaudeSession } from './session.js';
import { speaksOfClaudeLogin } from './turn-error.js';

/** Claude Code through the Claude Agent SDK. */
export const claude: Runtime = {
  name: 'claude',
  capabilities: claudeCapabilities,
  needsInputSentinelPath: (launch) => join(launch.cwd, needsInputPath),
  speaksOfLogin: speaksOfClaudeLogin,
  check: checkClaudeLaunch,
  open: (launch, host) => new ClaudeSession(launch, host, join(launch.cwd, needsInputPath)),
};
