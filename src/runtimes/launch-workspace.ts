import type { ToolWorkspace } from '../workspace-tools/workspace.js';
import { askingToSave } from './ask-to-save.js';
import type { Launch, RuntimeHost } from './runtime.js';

/** The workspace of a launch, as our own tools see it. */
export function launchWorkspace(
  launch: Launch,
  host: Pick<RuntimeHost, 'now' | 'newUuid' | 'comments' | 'ask'>,
  sessionId: () => string | null,
): ToolWorkspace {
  return {
    cwd: launch.cwd,
    conversationId: launch.conversationId,
    get sessionId() {
      return sessionId() ?? launch.resume;
    },
    targetBranch: launch.targetBranch,
    // Work that has nothing to do with Linear is not offered its tools; whoever starts a runner alone gets all of them.
    offersLinear:
      launch.isUnderWorker !== true ||
      launch.linearIssue !== undefined ||
      Boolean(launch.env['LINEAR_API_KEY']),
    linearIssue: launch.linearIssue,
    linearApiKey: launch.env['LINEAR_API_KEY'],
    linearApiUrl: launch.env['LINEAR_API_URL'],
    comments: host.comments,
    // Clients of the older runner show proposals themselves, and do not know this request.
    askToSave: launch.compat === undefined ? askingToSave(host) : undefined,
    env: launch.env,
    fetch: globalThis.fetch,
    now: () => new Date(host.now()),
    newId: host.newUuid,
  };
}
