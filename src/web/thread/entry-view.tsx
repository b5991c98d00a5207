import '../parts/coloured-pre.css';
import { memo, type ReactNode } from 'react';
import { statusMarks } from '../../domain/status/status-mark.js';
import { itemText } from '../../domain/thread/item-text.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { until } from '../../domain/words/age.js';
import { type Asker, askWords } from '../../domain/words/ask-words.js';
import { clockTime } from '../../domain/words/clock-time.js';
import { colouredText } from '../../domain/words/coloured-text.js';
import { money } from '../../domain/words/money.js';
import { outcomeAxes, outcomeSentence } from '../../domain/words/outcome-words.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import { promptKind } from '../../domain/words/prompt-words.js';
import { auditWords } from '../../domain/words/settlement-words.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Outcome } from '../../protocol/outcome.js';
import { PromptAction } from '../../protocol/prompt.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { useConsole } from '../console-context.js';
import { ColouredPre } from '../parts/coloured-pre.js';
import { Link } from '../parts/link.js';
import { WorkMark } from '../parts/mark.js';
import { MarkIcon } from '../parts/mark-icon.js';
import { Markdown } from '../parts/markdown.js';
import { Only } from '../rights.js';
import type { Row } from './rows.js';
import { ToolCallView } from './tool-call.js';

export interface EntryViewProps {
  readonly threadId: ThreadId;
  readonly row: Row;
  readonly asker: Asker;
  readonly isFolded: boolean;
  readonly onFold: () => void;
  readonly onRewind: (checkpoint: string) => void;
}

/** One line of a thread, as its kind is read. */
export const EntryView = memo(function EntryView({
  threadId,
  row,
  asker,
  isFolded,
  onFold,
  onRewind,
}: EntryViewProps): ReactNode {
  const { entry, inside } = row;
  switch (entry.type) {
    case 'user_text':
      return <UserText item={entry} />;
    case 'assistant_text':
      return <Markdown text={itemText(entry)} />;
    case 'thinking':
      return (
        <details className="thinking">
          <summary>Thinking</summary>
          <Markdown text={itemText(entry)} />
        </details>
      );
    case 'tool_call':
      return (
        <ToolCallView threadId={threadId} call={entry} inside={inside} isFolded={isFolded} onFold={onFold} />
      );
    case 'prompt': {
      const { prompt_id: promptId, kind, questions, ...prompt } = entry.metadata.prompt;
      const action = PromptAction.safeParse(prompt['action']).data;
      const asked = { kind, questions, ...(action ? { action } : {}) };
      return (
        <p className="asking">
          <span className="mark tone-ask">
            <MarkIcon mark={{ ...statusMarks.question, word: promptKind(asked) }} />
          </span>{' '}
          <Link to={{ page: 'inbox', promptId }}>{askWords(asked, asker)}</Link>
        </p>
      );
    }
    case 'prompt_audit': {
      const { actor, prompt_id: promptId } = entry.metadata.prompt;
      return (
        <p className="asking">
          {auditWords(entry)}
          <span className="note">
            {actor !== undefined && ` · by ${actorWords(actor)}`} ·{' '}
            <Link to={{ page: 'inbox', promptId }}>receipts</Link>
          </span>
        </p>
      );
    }
    case 'outcome':
      return <OutcomeLine item={entry} />;
    case 'run':
      return <p className="remark">{plainLine(itemText(entry))}</p>;
    case 'notice':
      return (
        <p
          className={`remark notice-${entry.level}`}
        >{`${noticeSigns[entry.level]} ${plainText(itemText(entry))}`}</p>
      );
    case 'checkpoint':
      return (
        <p className="remark">
          Checkpoint{' '}
          <Only to="dispatch">
            <button type="button" className="plain" onClick={() => onRewind(entry.uuid)}>
              Restore the files to this point
            </button>
          </Only>
        </p>
      );
    case 'remark':
      return (
        <div className="remark">
          {entry.text}
          {entry.output !== undefined && entry.output !== '' && (
            <details>
              <summary>Output</summary>
              <ColouredPre runs={colouredText(entry.output).runs} isWrapped />
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
      <p>{plainText(itemText(item))}</p>
      <p className="note">
        {actorWords(item.actor)}
        {item.attachments && ` · ${item.attachments.map((each) => plainLine(each)).join(', ')}`}
      </p>
    </div>
  );
}

function OutcomeLine({ item }: { readonly item: Extract<ThreadItem, { type: 'outcome' }> }): ReactNode {
  const { clock } = useConsole();
  const { outcome, retryAt, isLast } = item;
  const facts = [
    outcomeSentence(outcome),
    outcome.verification === 'passed' ? 'verified' : '',
    `exit code ${outcome.exitCode}`,
    outcome.costUsd === undefined ? '' : money(outcome.costUsd),
    retryAt === undefined ? '' : nextWords(outcome, retryAt, clock.now),
  ];
  return (
    <p className="outcome" title={outcomeAxes(outcome)}>
      {!isLast && 'Attempt: '}
      <WorkMark work={{ state: 'ended', result: outcome.result }} />{' '}
      {facts.filter((fact) => fact !== '').join(' · ')}
    </p>
  );
}

function nextWords({ reason }: Outcome, retryAt: string, now: number): string {
  if (reason === 'rate_limit') return `waits for quota until ${clockTime(retryAt, { now })}`;
  return `next attempt ${until(retryAt, now)}`;
}
