import type { Capabilities } from '../runtime.js';

/** What Claude Code can do through its SDK. */
export const claudeCapabilities: Capabilities = {
  commands: [
    'set_model',
    'set_permission_mode',
    'set_max_thinking_tokens',
    'get_supported_models',
    'get_supported_commands',
    'get_mcp_status',
    'get_account_info',
    'rewind_files',
    'reconnect_mcp_server',
    'toggle_mcp_server',
  ],
  permissionModes: ['bypassPermissions', 'default', 'acceptEdits', 'plan', 'dontAsk'],
  toolPresets: ['full', 'read-only', 'no-bash', 'safe-edit'],
  limits: ['maxBudgetUsd', 'maxTurns', 'maxThinkingTokens'],
  resume: true,
  fork: true,
  questions: true,
  approvals: true,
  plans: true,
  editedInput: true,
  denyWithMessage: true,
  checkpoints: true,
  structuredOutput: true,
  // Only a PreToolUse hook can defer; permissions come through canUseTool.
  defers: ['question', 'plan'],
};
