// What a worker knows about commands as agents without loading what only runners need.
import type { RuntimeProfile } from '../runtime.js';
import { execCapabilities } from './capabilities.js';
import { checkLaunch } from './command.js';

/** Any command; whether one is there shows when work names it. */
export const execProfile: RuntimeProfile = {
  name: 'exec',
  capabilities: execCapabilities,
  check: checkLaunch,
  installed: () => ({ found: true }),
};
