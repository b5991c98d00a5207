import { join } from 'node:path';
import { needsInputPath } from '../../protocol/needs-input.js';
import type { Runtime } from '../runtime.js';
import { opencodeCapabilities } from './capabilities.js';
import { checkOpencodeLaunch } from './command.js';
import { expectApprovedSettings } from './project-settings.js';
import { OpencodeSession } from './session.js';
import { speaksOfOpencodeLogin } from './turn-error.js';

/** OpenCode through its server. */
export const opencode: Runtime = {
  name: 'opencode',
  capabilities: opencodeCapabilities,
  needsInputSentinelPath: (launch) => join(launch.cwd, needsInputPath),
  speaksOfLogin: speaksOfOpencodeLogin,
  check: (launch) => {
    checkOpencodeLaunch(launch);
    expectApprovedSettings(launch);
  },
  open: (launch, host) => new OpencodeSession(launch, host, join(launch.cwd, needsInputPath)),
};
