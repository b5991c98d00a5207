import type { PermissionMode, ToolPreset } from '../../protocol/posture.js';

/** What Codex is told about rights, for a thread or a turn. */
interface Rights {
  readonly approvalPolicy: 'never' | 'untrusted' | 'on-request';
  readonly sandbox: 'read-only' | 'danger-full-access';
}

/**
 * `untrusted` asks before every command that is not known to read only; what is approved runs in the sandbox of its
 * thread (measured), so that in the modes that ask, the person is the boundary and not the sandbox. A plan is made in
 * a sandbox that cannot write, and only a request to leave it is asked.
 */
const rightsOfMode: Record<PermissionMode, Rights> = {
  bypassPermissions: { approvalPolicy: 'never', sandbox: 'danger-full-access' },
  default: { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' },
  acceptEdits: { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' },
  dontAsk: { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' },
  plan: { approvalPolicy: 'on-request', sandbox: 'read-only' },
};

/** A preset holds in every mode: nothing leaves a sandbox that cannot write. */
const readOnly: Rights = { approvalPolicy: 'never', sandbox: 'read-only' };

export function rightsOf(mode: PermissionMode, preset: ToolPreset): Rights {
  return preset === 'read-only' ? readOnly : rightsOfMode[mode];
}

/** The same rights in the words of a turn. */
export function turnRights(mode: PermissionMode, preset: ToolPreset): object {
  const { approvalPolicy, sandbox } = rightsOf(mode, preset);
  return {
    approvalPolicy,
    sandboxPolicy:
      sandbox === 'read-only' ? { type: 'readOnly', networkAccess: false } : { type: 'dangerFullAccess' },
  };
}
