import { Failure } from '../../protocol/failure.js';
import type { PermissionMode } from '../../protocol/posture.js';

export type Permissions = 'approval' | 'autonomous';

/** The modes that go with each, its own first. */
const modesOf = {
  approval: ['default', 'acceptEdits', 'plan'],
  autonomous: ['bypassPermissions', 'dontAsk', 'plan'],
} as const satisfies Record<Permissions, readonly PermissionMode[]>;

/** Whether a person is asked, and the mode that the runtime gets; what is not given follows from the other. */
export function resolvePermissions(asked: {
  readonly permissions?: Permissions | undefined;
  readonly permissionMode?: PermissionMode | undefined;
}): { readonly permissions: Permissions; readonly permissionMode: PermissionMode } {
  const permissions = asked.permissions ?? permissionsOf(asked.permissionMode);
  const modes: readonly PermissionMode[] = modesOf[permissions];
  const permissionMode = asked.permissionMode ?? modesOf[permissions][0];
  if (!modes.includes(permissionMode)) {
    throw new Failure(
      'invalid',
      `The permission mode ${permissionMode} does not go with ${permissions} permissions, which take ${modes.join(', ')}.`,
    );
  }
  return { permissions, permissionMode };
}

function permissionsOf(mode: PermissionMode | undefined): Permissions {
  const modes: readonly PermissionMode[] = modesOf.approval;
  return mode === undefined || modes.includes(mode) ? 'approval' : 'autonomous';
}
