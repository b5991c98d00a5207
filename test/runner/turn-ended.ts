import type { RuntimeFact } from '../../src/runtimes/runtime.js';

/** The end of a turn that was interrupted. */
export const turnEnded: RuntimeFact = {
  type: 'turn_ended',
  sessionId: 's',
  interrupted: true,
  result: { success: false, subtype: 'error', cost: null, turns: 1, usage: null, origin: 'message' },
};
