import type { Launch, RuntimeHost } from './runtime.js';
import type { Workspace } from './workspace-tools/workspace.js';

/** The workspace of a launch, as our own tools see it. */
export function launchWorkspace(
  launch: Launch,
  host: Pick<RuntimeHost, 'now' | 'newUuid'>,
  sessionId: () => string | null,
): Workspace {
  return {
    cwd: launch.cwd,
    conversationId: launch.conversationId,
    get sessionId() {
      return sessionId() ?? launch.resume;
    },
    targetBranch: launch.targetBranch,
    linearIssue: launch.linearIssue,
    linearApiKey: launch.env['LINEAR_API_KEY'],
    linearApiUrl: launch.env['LINEAR_API_URL'],
    env: launch.env,
    fetch: globalThis.fetch,
    now: () => new Date(host.now()),
    newId: host.newUuid,
  };
}
