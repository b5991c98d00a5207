import type { ReactNode } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useConsole } from '../console-context.js';
import { useOverview } from '../overview/use-overview.js';
import { WorkspaceName } from '../parts/workspace-name.js';

/** Other prompts that ask the same, by name: an answer to all of them covers those that stand here, and no other. */
export function EqualPrompts({
  equals,
  isTogether,
  onChange,
}: {
  readonly equals: readonly Prompt[];
  readonly isTogether: boolean;
  readonly onChange: (isTogether: boolean) => void;
}): ReactNode {
  const { threads } = useOverview(useConsole().overview);
  if (equals.length === 0) return null;
  return (
    <div className="together">
      <label>
        <input type="checkbox" checked={isTogether} onChange={(event) => onChange(event.target.checked)} />
        Answer {equals.length + 1} that are the same <kbd>t</kbd>
      </label>
      {isTogether && (
        <ul aria-label="Answered together">
          {equals.map(({ id, threadId }) => {
            const thread = threads.get(threadId);
            return (
              <li key={id}>
                {plainLine(thread?.title ?? '') || threadId}{' '}
                {thread && <WorkspaceName workspace={thread.workspace} />}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
