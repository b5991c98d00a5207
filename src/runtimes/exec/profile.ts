// What a worker knows about commands as agents without loading what only runners need.
import type { RuntimeProfile } from '../runtime.js';
import { execCapabilities } from './capabilities.js';
import { checkExecLaunch } from './command.js';

/** Any command; whether one is there shows when work names it. */
export const execProfile: RuntimeProfile = {
  name: 'exec',
  capabilities: execCapabilities,
  check: checkExecLaunch,
  installed: () => ({ found: true }),
};
