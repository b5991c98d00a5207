import type { ReactNode } from 'react';
import { agentName } from '../../../domain/words/agent-name.js';
import { containerWords } from '../../../domain/words/container-words.js';
import { modeWords } from '../../../domain/words/mode-words.js';
import { plainLine } from '../../../domain/words/plain-text.js';
import type { AgentFacts } from '../../../live/agent-facts.js';
import { PermissionMode } from '../../../protocol/posture.js';
import type { Thread } from '../../../protocol/thread.js';

/** The folder, the branch, the agent and what it may do. */
export function WhereItWorks({
  thread: { workspace, container, runtime, name },
  facts,
}: {
  readonly thread: Thread;
  readonly facts: AgentFacts;
}): ReactNode {
  const mode = PermissionMode.safeParse(facts.permissionMode).data;
  const rows = [
    ['Name', name],
    ['Repository', workspace.repo],
    ['Began at', workspace.ref],
    ['Folder', workspace.path === workspace.repo ? undefined : workspace.path],
    ['Branch', workspace.branch],
    ['Pushed to', workspace.pushed?.branch],
    ['Container', container && containerWords(container)],
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
                <dd title={plainLine(value)} className={about === 'Folder' ? 'is-path' : undefined}>
                  <bdi>{plainLine(value)}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
