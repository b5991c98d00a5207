import type { ReactNode } from 'react';
import { plainLine } from '../../../domain/words/plain-text.js';
import type { AgentFacts } from '../../../live/agent-facts.js';

const states: Readonly<Record<string, { readonly sign: string; readonly word: string }>> = {
  completed: { sign: '✓', word: 'done' },
  in_progress: { sign: '◉', word: 'under way' },
};
const notBegun = { sign: '○', word: 'not begun' };
const longest = 300;
const most = 100;

/** What the agent has set itself to do, as it last said. */
export function TodoSection({ todos }: { readonly todos: AgentFacts['todos'] }): ReactNode {
  if (todos.length === 0) return null;
  const done = todos.filter(({ status }) => status === 'completed').length;
  return (
    <section aria-labelledby="details-todo">
      <h2 id="details-todo">
        To do{' '}
        <span className="note">
          {done} of {todos.length}
        </span>
      </h2>
      <ul className="todos">
        {todos.slice(0, most).map(({ content, status }, index) => {
          const { sign, word } = states[status] ?? notBegun;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an agent writes the whole list anew
            <li key={index} className={`todo todo-${word.replace(' ', '-')}`}>
              <span className="todo-sign" aria-hidden="true">
                {sign}
              </span>{' '}
              <span className="unseen">{word}: </span>
              <span>{plainLine(content, { maxLength: longest })}</span>
            </li>
          );
        })}
      </ul>
      {todos.length > most && <p className="note">and {todos.length - most} more</p>}
    </section>
  );
}
