import './observed.css';
import type { ReactNode } from 'react';
import { statusMark } from '../../domain/status/status-mark.js';
import { agentName } from '../../domain/words/agent-name.js';
import { observedWords } from '../../domain/words/observed-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { ObservedSession } from '../../protocol/observed.js';
import { Age } from '../parts/age.js';
import { MarkView } from '../parts/mark.js';
import { WorkspaceName } from '../parts/workspace-name.js';

/** Agents that somebody started by hand: seen here, steered in their own terminals. */
export default function ObservedSection({
  sessions,
}: {
  readonly sessions: readonly ObservedSession[];
}): ReactNode {
  return (
    <section className="observed" aria-labelledby="observed-head">
      <h2 id="observed-head" className="group-head">
        Started by hand <span className="group-count">{sessions.length}</span>
      </h2>
      <ul className="observed-rows">
        {sessions.map((session) => (
          <li key={session.id} className="thread-row observed-row" data-testid="observed">
            <span className="thread-signs">
              <MarkView mark={statusMark(session.status)} />
            </span>
            <span className="thread-words">
              <span className="observed-title">{titleOf(session)}</span>
              <span className="thread-activity">{observedWords(session)}</span>
            </span>
            <span className="thread-facts">
              <span className="fact">{agentName(session.runtime)} · observed</span>
              {session.workspace !== undefined && <WorkspaceName workspace={{ path: session.workspace }} />}
            </span>
            <span className="thread-numbers">
              <span>{session.pid === undefined ? '' : `pid ${session.pid}`}</span>
              <Age at={session.changedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function titleOf({ title, sessionId, id }: ObservedSession): string {
  return plainLine(title) || plainLine(sessionId ?? id);
}
