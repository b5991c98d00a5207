import { join } from 'node:path';
import { needsInputPath } from '../../protocol/needs-input.js';
import type { Runtime } from '../runtime.js';
import { checkLaunch } from './command.js';
import { ClaudeSession } from './session.js';
import { speaksOfLogin } from './turn-error.js';

/** Claude Code through the Claude Agent SDK. */
export const claude: Runtime = {
  name: 'claude',
  capabilities: {
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
    resume: true,
    fork: true,
    questions: true,
    approvals: true,
    editedInput: true,
    denyWithMessage: true,
    checkpoints: true,
    structuredOutput: true,
  },
  needsInputSentinelPath: (launch) => join(launch.cwd, needsInputPath),
  speaksOfLogin,
  check: checkLaunch,
  open: (launch, host) => new ClaudeSession(launch, host),
};
