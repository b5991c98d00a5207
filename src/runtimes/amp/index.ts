import { join } from 'node:path';
import { needsInputPath } from '../../protocol/needs-input.js';
import type { Runtime } from '../runtime.js';
import { ampCapabilities } from './capabilities.js';
import { checkAmpLaunch } from './command.js';
import { AmpSession } from './session.js';
import { speaksOfAmpLogin } from './wire.js';

/** Amp: one process per turn, which goes on with a thread that Amp's own service keeps. */
export const amp: Runtime = {
  name: 'amp',
  capabilities: ampCapabilities,
  needsInputSentinelPath: (launch) => join(launch.cwd, needsInputPath),
  speaksOfLogin: speaksOfAmpLogin,
  check: checkAmpLaunch,
  open: (launch, host) => new AmpSession(launch, host, { sentinel: join(launch.cwd, needsInputPath) }),
};
