import { type ReactNode, useState } from 'react';
import type { Prompt } from '../../protocol/prompt.js';
import { useKeys } from '../keys/use-keys.js';
import { planTool } from '../parts/prompt-words.js';
import type { Abilities } from './abilities.js';
import { EditedInput } from './edited-input.js';
import type { Answering } from './use-answer.js';

/** Decisions about an action: yes, yes from now on, yes with changes, no, no with words. */
export function ApprovalForm({
  prompt,
  answering,
  abilities,
}: {
  readonly prompt: Prompt;
  readonly answering: Answering;
  readonly abilities: Abilities;
}): ReactNode {
  const { action } = prompt;
  const [isOpen, setOpen] = useState<'edit' | 'message'>();
  const isAction = action !== undefined && action.tool !== planTool;
  const canEdit = isAction && abilities.editedInput;
  const decide = (decision: { approved: boolean; scope?: 'thread' }) => answering.send({ decision });
  const acts = {
    y: () => decide({ approved: true }),
    d: () => decide({ approved: false }),
    ...(isAction && { a: () => decide({ approved: true, scope: 'thread' }) }),
    ...(canEdit && { e: () => setOpen('edit') }),
    ...(abilities.denyWithMessage && { m: () => setOpen('message') }),
  };
  useKeys(acts);

  if (isOpen === 'edit' && action) {
    return (
      <EditedInput
        input={action.input}
        onLeave={() => setOpen(undefined)}
        onSend={(updatedInput) => answering.send({ decision: { approved: true, updatedInput } })}
      />
    );
  }
  if (isOpen === 'message') {
    return (
      <DenyMessage
        onLeave={() => setOpen(undefined)}
        onSend={(message) => answering.send({ decision: { approved: false, message } })}
      />
    );
  }
  const isBusy = answering.isSending;
  return (
    <div className="answer-row" role="group" aria-label="Decision">
      <button type="button" className="primary" disabled={isBusy} onClick={acts.y}>
        Approve <kbd>y</kbd>
      </button>
      {isAction && (
        <button
          type="button"
          disabled={isBusy}
          onClick={acts.a}
          title="The same tool and pattern, in this thread from now on"
        >
          Approve for this thread <kbd>a</kbd>
        </button>
      )}
      {canEdit && (
        <button type="button" disabled={isBusy} onClick={acts.e}>
          Edit and approve <kbd>e</kbd>
        </button>
      )}
      <button type="button" className="danger" disabled={isBusy} onClick={acts.d}>
        Deny <kbd>d</kbd>
      </button>
      {abilities.denyWithMessage && (
        <button type="button" disabled={isBusy} onClick={acts.m}>
          Deny with a message <kbd>m</kbd>
        </button>
      )}
    </div>
  );
}

function DenyMessage({
  onLeave,
  onSend,
}: {
  readonly onLeave: () => void;
  readonly onSend: (message: string) => void;
}) {
  const [text, setText] = useState('');
  return (
    <form
      className="deny-message"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSend(text.trim());
      }}
    >
      <label>
        Deny, and say what to do instead
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
