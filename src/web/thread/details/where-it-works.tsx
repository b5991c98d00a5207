import type { ReactNode } from 'react';
import { agentName } from '../../../domain/words/agent-name.js';
import { modeWords } from '../../../domain/words/mode-words.js';
import { plainLine } from '../../../domain/words/plain-text.js';
import type { AgentFacts } from '../../../live/agent-facts.js';
import { PermissionMode } from '../../../protocol/posture.js';
import type { Thread } from '../../../protocol/thread.js';

/** The folder, the branch, the agent and what it may do. */
export function WhereItWorks({
  thread: { workspace, runtime, name },
  facts,
}: {
  readonly thread: Thread;
  readonly facts: AgentFacts;
}): ReactNode {
  const mode = PermissionMode.safeParse(facts.permissionMode).data;
  const rows = [
    ['Name', name],
    ['Folder', workspace.path],
    ['Branch', workspace.branch],
    ['Agent', agentName(runtime)],
    ['Model', facts.model],
    ['Permissions', mode && modeWords[mode]],
  ] as const;
  return (
    <section aria-labelledby="details-where">
      <h2 id="details-where">Where it works</h2>
      <dl className="details-facts">
        {rows.map(
          ([about, value]) =>
            value !== undefined && (
              <div key={about}>
                <dt>{about}</dt>
                <dd title={plainLine(value)}>{plainLine(value)}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
