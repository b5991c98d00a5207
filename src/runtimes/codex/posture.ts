import type { PermissionMode, ToolPreset } from '../../protocol/posture.js';

/** With `never` Codex declines in a person's place what an MCP server asks (measured); a mode decides about rights only. */
const onlyServersAsk = {
  granular: {
    sandbox_approval: false,
    rules: false,
    skill_approval: false,
    request_permissions: false,
    mcp_elicitations: true,
  },
} as const;

/** What Codex is told about rights, for a thread or a turn. */
interface Rights {
  readonly approvalPolicy: 'never' | 'on-request' | 'untrusted' | typeof onlyServersAsk;
  readonly sandbox: 'read-only' | 'danger-full-access';
}

/**
 * In the modes that ask, commands run in a sandbox that cannot write, and whoever wants to leave it asks; a change of a
 * file asks too. (The policy `untrusted` would ask before every `ls`, and run what was approved in the sandbox all the
 * same: both measured.) Which of the wishes are put to a person is the gatekeeper's.
 */
const asking: Rights = { approvalPolicy: 'on-request', sandbox: 'read-only' };
/** In a container Codex cannot set its sandbox up, and every command would fail (measured): there it asks before each. */
const askingInside: Rights = { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' };
const bypassing: Rights = { approvalPolicy: onlyServersAsk, sandbox: 'danger-full-access' };

/** A preset holds in every mode: nothing leaves a sandbox that cannot write. */
const readOnly: Rights = { approvalPolicy: 'never', sandbox: 'read-only' };

/** What rights depend on. */
interface Place {
  readonly toolPreset: ToolPreset;
  readonly container?: object | undefined;
}

export function rightsOf(mode: PermissionMode, { toolPreset, container }: Place): Rights {
  if (toolPreset === 'read-only') return readOnly;
  if (mode === 'bypassPermissions') return bypassing;
  return container ? askingInside : asking;
}

/** The same rights in the words of a turn. */
export function turnRights(mode: PermissionMode, place: Place): object {
  const { approvalPolicy, sandbox } = rightsOf(mode, place);
  return {
    approvalPolicy,
    sandboxPolicy:
      sandbox === 'read-only' ? { type: 'readOnly', networkAccess: false } : { type: 'dangerFullAccess' },
  };
}
