import { join } from 'node:path';
import { needsInputPath } from '../../protocol/needs-input.js';
import type { Launch, Runtime } from '../runtime.js';
import { claudeCapabilities } from './capabilities.js';
import { checkClaudeLaunch } from './command.js';
import { ClaudeSession } from './session.js';
import { speaksOfClaudeLogin } from './turn-error.js';

/** Claude Code through the Claude Agent SDK. */
export const claude: Runtime = {
  name: 'claude',
  capabilities: claudeCapabilities,
  needsInputSentinelPath: sentinelPath,
  speaksOfLogin: speaksOfClaudeLogin,
  check: checkClaudeLaunch,
  open: (launch, host) => new ClaudeSession(launch, host, { sentinel: sentinelPath(launch) }),
  park: async (launch, host) => {
    // Only a spare runner that keeps an agent ready needs these.
    const [{ mayPark }, { ParkedClaude }] = await Promise.all([
      import('./parking.js'),
      import('./parked-claude.js'),
    ]);
    if (!mayPark(launch)) return null;
    return await ParkedClaude.park(launch, host, {
      open: (at, of, parked) => new ClaudeSession(at, of, { sentinel: sentinelPath(at), parked }),
    });
  },
};

function sentinelPath({ cwd }: Pick<Launch, 'cwd'>): string {
  return join(cwd, needsInputPath);
}
