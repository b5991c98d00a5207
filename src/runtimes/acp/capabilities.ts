import type { Capabilities } from '../runtime.js';
import { acpAgent } from './agents.js';

/** What an agent can do behind ACP. */
export function acpCapabilities(name: string): Capabilities {
  const { resumes, asks } = acpAgent(name);
  return {
    commands: ['set_model', 'set_permission_mode', 'get_supported_models'],
    permissionModes: ['bypassPermissions', 'default', 'acceptEdits', 'dontAsk'],
    toolPresets: ['full'],
    limits: [],
    resume: resumes,
    fork: false,
    questions: asks,
    approvals: true,
    plans: false,
    editedInput: false,
    denyWithMessage: true,
    checkpoints: false,
    structuredOutput: false,
    defers: [],
  };
}
