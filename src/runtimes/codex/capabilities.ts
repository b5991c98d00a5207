import type { Capabilities } from '../runtime.js';

/** What Codex can do through its app server. */
export const codexCapabilities: Capabilities = {
  commands: [
    'set_model',
    'set_permission_mode',
    'get_supported_models',
    'get_mcp_status',
    'get_account_info',
  ],
  permissionModes: ['bypassPermissions', 'default', 'acceptEdits', 'plan', 'dontAsk'],
  // It reads and edits through its shell, so that there is no preset that has one of them without the other.
  toolPresets: ['full', 'read-only'],
  limits: [],
  resume: true,
  fork: true,
  questions: true,
  approvals: true,
  plans: true,
  editedInput: false,
  denyWithMessage: true,
  checkpoints: false,
  structuredOutput: true,
  defers: [],
};
