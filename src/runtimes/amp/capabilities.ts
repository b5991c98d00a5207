import type { Capabilities } from '../runtime.js';

/** What Amp can do without a person at its terminal: it asks by file only, and goes on with its threads by their ids. */
export const ampCapabilities: Capabilities = {
  commands: [],
  permissionModes: ['bypassPermissions'],
  toolPresets: ['full'],
  limits: [],
  resume: true,
  fork: false,
  questions: false,
  approvals: false,
  plans: false,
  editedInput: false,
  denyWithMessage: false,
  checkpoints: false,
  structuredOutput: false,
  defers: [],
};
