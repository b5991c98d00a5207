// What a worker knows about commands as agents without loading what only runners need.
import type { RuntimeReport } from '../../protocol/api.js';
import { execCapabilities } from './capabilities.js';

export { checkLaunch } from './command.js';

/** Any command; whether one is there shows when work names it. */
export function execReport(): RuntimeReport {
  return { name: 'exec', found: true, capabilities: { ...execCapabilities } };
}
