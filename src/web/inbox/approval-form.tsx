import { type ReactNode, useMemo, useState } from 'react';
import * as z from 'zod';
import { isApprovedOnce } from '../../domain/prompts/approved-once.js';
import { isEmptyPlan } from '../../domain/prompts/asked-plan.js';
import { grantWords } from '../../domain/words/grant-words.js';
import { hiddenCharacters } from '../../domain/words/marked-text.js';
import { unreadWords } from '../../domain/words/reading-words.js';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useKeys } from '../keys/use-keys.js';
import { useDraft } from '../parts/use-draft.js';
import type { Reading } from '../parts/use-reading.js';
import type { Abilities } from './abilities.js';
import { EditedInput } from './edited-input.js';
import type { Answering } from './use-answer.js';

/**
 * Decisions about an action: yes, yes from now on, yes with changes, no, no with words. What says yes is stopped back until
 * everything was on the screen, or until the person says that they do not want to read the rest.
 */
export function ApprovalForm({
  prompt,
  folder,
  answering,
  abilities,
  reading,
}: {
  readonly prompt: Prompt;
  /** Where the agent works, which paths are told relative to. */
  readonly folder: string | undefined;
  readonly answering: Answering;
  readonly abilities: Abilities;
  readonly reading: Reading;
}): ReactNode {
  const { action } = prompt;
  const [isOpen, setOpen] = useState<'edit' | 'message'>();
  const isAction = action !== undefined && !isApprovedOnce(action);
  const canEdit = isAction && abilities.editedInput;
  const isEmpty = isEmptyPlan(action);
  const unread = isEmpty ? '' : unreadWords(reading);
  const isUnread = unread !== '';
  // What does not do what it seems to say is to be refused first.
  const isHiding = useMemo(() => action !== undefined && hiddenCharacters(action).size > 0, [action]);
  const decide = (decision: { approved: boolean; scope?: 'thread' }) => answering.send({ decision });
  const whenRead = (act: () => void) => () => {
    if (!answering.mayDecide()) return;
    if (isUnread) reading.showNext();
    else act();
  };
  const acts = {
    ...(!isEmpty && { y: whenRead(() => decide({ approved: true })) }),
    d: () => decide({ approved: false }),
    ...(isAction && { a: whenRead(() => decide({ approved: true, scope: 'thread' })) }),
    ...(canEdit && { e: whenRead(() => setOpen('edit')) }),
    ...(abilities.denyWithMessage && { m: () => setOpen('message') }),
  };
  useKeys(acts);
  useKeys(isUnread ? { ' ': reading.showNext } : {}, { isRepeating: true });

  if (isOpen === 'edit' && action) {
    return (
      <EditedInput
        promptId={prompt.id}
        input={action.input}
        onLeave={() => setOpen(undefined)}
        onSend={(updatedInput) => answering.send({ decision: { approved: true, updatedInput } })}
      />
    );
  }
  if (isOpen === 'message') {
    return (
      <DenyMessage
        promptId={prompt.id}
        onLeave={() => setOpen(undefined)}
        onSend={(message) => answering.send({ decision: { approved: false, message } })}
      />
    );
  }
  const isBusy = answering.isSending;
  const stopped = isUnread ? { 'aria-disabled': true, 'aria-describedby': `unread-${prompt.id}` } : {};
  return (
    <>
      {isUnread && answering.isSteady && (
        <p id={`unread-${prompt.id}`} className="unread">
          {unread}{' '}
          <button type="button" className="plain" onClick={reading.showNext}>
            Show what comes next <kbd>Space</kbd>
          </button>{' '}
          <button
            type="button"
            className="plain"
            disabled={isBusy}
            onClick={() => decide({ approved: true })}
          >
            Approve without reading the rest
          </button>
        </p>
      )}
      <div className="answer-row" role="group" aria-label="Decision">
        {acts.y && (
          <button
            type="button"
            className={isHiding ? undefined : 'primary'}
            disabled={isBusy}
            onClick={acts.y}
            {...stopped}
          >
            Approve <kbd>y</kbd>
          </button>
        )}
        {isAction && (
          <button
            type="button"
            disabled={isBusy}
            onClick={acts.a}
            {...stopped}
            aria-describedby={isUnread ? `unread-${prompt.id} always-${prompt.id}` : `always-${prompt.id}`}
          >
            Always in this thread <kbd>a</kbd>
          </button>
        )}
        {canEdit && (
          <button type="button" disabled={isBusy} onClick={acts.e} {...stopped}>
            Change it first <kbd>e</kbd>
          </button>
        )}
        <button type="button" className="danger" disabled={isBusy} onClick={acts.d}>
          Deny <kbd>d</kbd>
        </button>
        {abilities.denyWithMessage && (
          <button
            type="button"
            className={isHiding ? 'primary' : undefined}
            disabled={isBusy}
            onClick={acts.m}
          >
            Deny and say why <kbd>m</kbd>
          </button>
        )}
      </div>
      {isAction && (
        <p id={`always-${prompt.id}`} className="note always-words">
          {grantWords(action, folder)}
        </p>
      )}
    </>
  );
}

function DenyMessage({
  promptId,
  onLeave,
  onSend,
}: {
  readonly promptId: PromptId;
  readonly onLeave: () => void;
  readonly onSend: (message: string) => void;
}) {
  const [text, setText] = useDraft(`deny ${promptId}`, z.string(), '');
  return (
    <form
      className="deny-message"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSend(text.trim());
      }}
    >
      <label>
        Why, or what to do instead
        <input
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onLeave()}
        />
      </label>
      <div className="answer-row">
        <button type="submit" className="danger" disabled={text.trim() === ''}>
          Deny
        </button>
        <button type="button" className="plain" onClick={onLeave}>
          Back
        </button>
      </div>
    </form>
  );
}
