import './comment-box.css';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import * as z from 'zod';
import { commentAuthor, commentState } from '../../domain/words/comment-words.js';
import { plainText } from '../../domain/words/plain-text.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ReviewComment } from '../../protocol/review-comment.js';
import { Age } from '../parts/age.js';
import { forgetDraft, useDraft } from '../parts/use-draft.js';
import { Only } from '../rights.js';
import type { LinePlace } from './review-rows.js';
import type { ThreadCommentsView } from './use-comments.js';

const tones = {
  'Not sent': 'tone-quiet',
  Sent: 'tone-start',
  Resolved: 'tone-good',
  Open: 'tone-idle',
} as const;

/** What is said about one line, and the field to say more. */
export function CommentBox({
  threadId,
  place,
  comments,
  isWriting,
  act,
  onAdd,
  onClose,
}: {
  readonly threadId: ThreadId;
  readonly place: LinePlace;
  readonly comments: readonly ReviewComment[];
  readonly isWriting: boolean;
  readonly act: ThreadCommentsView['act'];
  readonly onAdd: (place: LinePlace, body: string) => Promise<boolean>;
  readonly onClose: (place: LinePlace) => void;
}): ReactNode {
  const { file, line, side } = place;
  return (
    <section
      className="comment-box"
      aria-label={`Comments on line ${line}${side === 'old' ? ' before the change' : ''}`}
    >
      {comments.map((comment) => (
        <CommentView key={comment.id} threadId={threadId} comment={comment} act={act} />
      ))}
      {isWriting && (
        <CommentForm
          name={`comment ${threadId} ${side} ${line} ${file}`}
          label={`Comment on line ${line}${side === 'old' ? ' before the change' : ''}`}
          send="Add comment"
          onSend={(body) => onAdd(place, body)}
          onClose={() => onClose(place)}
        />
      )}
    </section>
  );
}

/** One comment: who says what, where it stands, and what can be done about it. */
export function CommentView({
  threadId,
  comment,
  act,
}: {
  readonly threadId: ThreadId;
  readonly comment: ReviewComment;
  readonly act: ThreadCommentsView['act'];
}): ReactNode {
  const [isEditing, setEditing] = useState(false);
  const { id, author, state, severity, line, createdAt } = comment;
  const words = commentState(comment);
  const isResolved = state === 'resolved';
  return (
    <article className={isResolved ? 'comment is-resolved' : 'comment'}>
      <header className="comment-head">
        <b>{commentAuthor(comment)}</b>
        <span className="note">
          line {line} · <Age at={createdAt} />
          {severity !== undefined && ` · ${severity}`}
        </span>
        <span className={`mark ${tones[words]}`}>{words}</span>
      </header>
      {isEditing ? (
        <CommentForm
          name={undefined}
          label="Change the comment"
          send="Save"
          text={comment.body}
          onSend={async (body) => {
            const isDone = await act((client) => client.edit(threadId, id, { body }));
            if (isDone) setEditing(false);
            return isDone;
          }}
          onClose={() => setEditing(false)}
        />
      ) : (
        <p className="comment-body">{plainText(comment.body)}</p>
      )}
      <Only to="dispatch">
        <div className="comment-actions">
          <button
            type="button"
            className="plain"
            onClick={() =>
              void act((client) => client.edit(threadId, id, { state: isResolved ? 'open' : 'resolved' }))
            }
          >
            {isResolved ? 'Reopen' : 'Resolve'}
          </button>
          {author !== 'agent' && !isEditing && (
            <button type="button" className="plain" onClick={() => setEditing(true)}>
              Edit
            </button>
          )}
          <button
            type="button"
            className="plain"
            onClick={() => void act((client) => client.remove(threadId, id))}
          >
            Remove
          </button>
        </div>
      </Only>
    </article>
  );
}

function CommentForm({
  name,
  label,
  send,
  text: given = '',
  onSend,
  onClose,
}: {
  /** What is typed is kept under this name. */
  readonly name: string | undefined;
  readonly label: string;
  readonly send: string;
  readonly text?: string;
  readonly onSend: (body: string) => Promise<boolean>;
  readonly onClose: () => void;
}): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(name, z.string(), given);
  // Whoever came here with keys goes on from where they were.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const here = form.current;
    field.current?.focus();
    return () => {
      const isHere = here?.contains(document.activeElement) === true;
      if (isHere && before instanceof HTMLElement) before.focus();
    };
  }, []);
  const add = async () => {
    if (text.trim() === '' || !(await onSend(text.trim()))) return;
    setText('');
    if (name !== undefined) forgetDraft(name);
    onClose();
  };
  return (
    <form
      ref={form}
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <textarea
        ref={field}
        rows={2}
        aria-label={label}
        placeholder={label}
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void add();
          else return;
          event.preventDefault();
        }}
      />
      <div className="answer-row">
        <button type="submit">
          {send} <kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" className="plain" onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}
