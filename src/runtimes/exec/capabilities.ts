import type { Capabilities } from '../runtime.js';

/** What any command-line agent can do: take a text, print a text. It asks by file, and remembers nothing. */
export const execCapabilities: Capabilities = {
  commands: [],
  permissionModes: ['bypassPermissions'],
  toolPresets: ['full'],
  limits: [],
  resume: false,
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
