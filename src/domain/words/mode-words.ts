import type { PermissionMode } from '../../protocol/posture.js';

/** What an agent does in each permission mode, as it follows its name. */
export const modeWords = {
  bypassPermissions: 'does everything',
  default: 'asks before it acts',
  acceptEdits: 'edits freely, asks for the rest',
  plan: 'plans first',
  dontAsk: 'never asks; what needs approval is denied',
} as const satisfies Record<PermissionMode, string>;
