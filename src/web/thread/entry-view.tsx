import { memo, type ReactNode } from 'react';
import { until } from '../../domain/age.js';
import { money } from '../../domain/money.js';
import { outcomeAxes, reasonWords } from '../../domain/outcome-words.js';
import { plainLine, plainText } from '../../domain/plain-text.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { useOutside } from '../outside.js';
import { Link } from '../parts/link.js';
import { WorkMark } from '../parts/mark.js';
import { Markdown } from '../parts/markdown.js';
import type { Row } from './rows.js';
import { ToolCall } from './tool-call.js';

export interface EntryViewProps {
  readonly row: Row;
  readonly isFolded: boolean;
  readonly onFold: () => void;
  readonly onRewind: (checkpoint: string) => void;
}

/** One line of a thread, as its kind is read. */
export const EntryView = memo(function EntryView({
  row,
  isFolded,
  onFold,
  onRewind,
}: EntryViewProps): ReactNode {
  const { entry, inside } = row;
  switch (entry.type) {
    case 'user_text':
      return <UserText item={entry} />;
    case 'assistant_text':
      return <Markdown text={entry.text} />;
    case 'thinking':
      return (
        <details className="thinking">
          <summary>Thinking</summary>
          <Markdown text={entry.text} />
        </details>
      );
    case 'tool_call':
      return <ToolCall call={entry} inside={inside} isFolded={isFolded} onFold={onFold} />;
    case 'prompt': {
      const { prompt_id: promptId, questions } = entry.item.metadata.prompt;
      return (
        <p className="asking">
          <span className="mark tone-ask">? asked</span>{' '}
          <Link to={{ page: 'inbox', promptId }}>
            {plainLine(questions.map(({ question }) => question).join(' · '))}
          </Link>
        </p>
      );
    }
    case 'prompt_audit': {
      const { actor, prompt_id: promptId } = entry.item.metadata.prompt;
      return (
        <p className="asking">
          {entry.item.content.map(({ text }) => plainText(text)).join('\n')}
          <span className="note">
            {actor !== undefined && ` by ${plainLine(actor)}`} ·{' '}
            <Link to={{ page: 'inbox', promptId }}>receipts</Link>
          </span>
        </p>
      );
    }
    case 'outcome':
      return <OutcomeLine item={entry} />;
    case 'run':
      return <p className="remark">{plainLine(entry.text)}</p>;
    case 'notice':
      return (
        <p
          className={`remark notice-${entry.level}`}
        >{`${noticeSigns[entry.level]} ${plainText(entry.text)}`}</p>
      );
    case 'checkpoint':
      return (
        <p className="remark">
          Checkpoint{' '}
          <button type="button" className="plain" onClick={() => onRewind(entry.uuid)}>
            put the files back to here
          </button>
        </p>
      );
    case 'remark':
      return (
        <div className="remark">
          {entry.text}
          {entry.output !== undefined && entry.output !== '' && (
            <details>
              <summary>output</summary>
              <pre tabIndex={0}>{plainText(entry.output)}</pre>
            </details>
          )}
        </div>
      );
    default:
      return entry satisfies never;
  }
});

const noticeSigns = { info: '·', warning: '!', error: '✗' } as const;

function UserText({ item }: { readonly item: Extract<ThreadItem, { type: 'user_text' }> }): ReactNode {
  return (
    <div className="user-text">
      <p>{plainText(item.text)}</p>
      <p className="note">
        {plainLine(item.actor)}
        {item.attachments && ` · ${item.attachments.map(plainLine).join(', ')}`}
      </p>
    </div>
  );
}

function OutcomeLine({ item }: { readonly item: Extract<ThreadItem, { type: 'outcome' }> }): ReactNode {
  const { clock } = useOutside();
  const { outcome, retryAt, isLast } = item;
  const facts = [
    outcome.result === 'succeeded' ? '' : reasonWords(outcome),
    outcome.verification === 'passed' ? 'verified' : '',
    `exit code ${outcome.exitCode}`,
    outcome.costUsd === undefined ? '' : money(outcome.costUsd),
    retryAt === undefined ? '' : `next try ${until(retryAt, clock.now)}`,
  ];
  return (
    <p className="outcome" title={outcomeAxes(outcome)}>
      {!isLast && 'attempt: '}
      <WorkMark work={{ state: 'ended', result: outcome.result }} />{' '}
      {facts.filter((fact) => fact !== '').join(' · ')}
    </p>
  );
}
