import { join } from 'node:path';
import { needsInputPath } from '../../protocol/needs-input.js';
import type { Runtime } from '../runtime.js';
import { execCapabilities } from './capabilities.js';
import { checkExecLaunch } from './command.js';
import { ExecSession } from './session.js';

/** Any command-line agent: one process per turn, its prompt in an argument or on stdin, its text on stdout. */
export const exec: Runtime = {
  name: 'exec',
  capabilities: execCapabilities,
  needsInputSentinelPath: (launch) => join(launch.cwd, needsInputPath),
  speaksOfLogin: () => false,
  check: checkExecLaunch,
  open: (launch, host) => new ExecSession(launch, host, join(launch.cwd, needsInputPath)),
};
