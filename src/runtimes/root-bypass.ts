import { Failure } from '../protocol/failure.js';
import type { PermissionMode } from '../protocol/posture.js';

type Environment = Readonly<Record<string, string>>;

/** Whether an agent may do everything unasked: not as root, unless it sits in a sandbox. */
export function mayBypass(env: Environment): boolean {
  return process.getuid?.() !== 0 || env['IS_SANDBOX'] === '1';
}

/** Refuses a mode that nobody would survive; Claude Code refuses it as well, only later. */
export function expectMayBypass(mode: PermissionMode, env: Environment): void {
  if (mode !== 'bypassPermissions' || mayBypass(env)) return;
  throw new Failure(
    'no_permission',
    'bypassPermissions is refused to root outside a sandbox. Run as another user, choose another --permission-mode, or, in a disposable container, set IS_SANDBOX=1.',
  );
}
