import type { Capabilities } from '../runtime.js';

/** What OpenCode can do through its server. */
export const opencodeCapabilities: Capabilities = {
  commands: [
    'set_model',
    'set_permission_mode',
    'get_supported_models',
    'get_supported_commands',
    'get_mcp_status',
  ],
  permissionModes: ['bypassPermissions', 'default', 'acceptEdits', 'dontAsk'],
  toolPresets: ['full', 'read-only', 'no-bash'],
  limits: [],
  resume: true,
  fork: true,
  questions: true,
  approvals: true,
  plans: false,
  editedInput: false,
  denyWithMessage: true,
  checkpoints: false,
  structuredOutput: false,
  defers: [],
};
