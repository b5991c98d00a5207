import { type ReactNode, useState } from 'react';
import { PermissionMode } from '../../protocol/posture.js';
import type { Thread } from '../../protocol/thread.js';
import { useKeys } from '../keys/use-keys.js';
import type { AgentFacts } from './agent-facts.js';
import type { Control } from './use-control.js';

const atWork = new Set(['busy', 'question', 'initializing']);

/** What can be done to the agent besides talking to it. */
export function ThreadControls({
  thread,
  facts,
  control,
}: {
  readonly thread: Thread;
  readonly facts: AgentFacts;
  readonly control: Control;
}): ReactNode {
  const { id, status, lastDispatch } = thread;
  const { act, isActing } = control;
  const isAtWork = atWork.has(status.state);
  const isThere = isAtWork || status.state === 'idle';
  const interrupt = () => act(({ threads }) => threads.interrupt(id));
  useKeys(isAtWork ? { i: interrupt } : {});
  return (
    <div className="controls">
      <div className="answer-row" role="group" aria-label="Controls">
        <button type="button" disabled={!isAtWork || isActing} onClick={interrupt}>
          Interrupt <kbd>i</kbd>
        </button>
        <button
          type="button"
          disabled={!isThere || isActing}
          onClick={() => act(({ threads }) => threads.stop(id))}
        >
          Stop
        </button>
        {lastDispatch && lastDispatch.state !== 'ended' && (
          <button
            type="button"
            disabled={isActing}
            onClick={() => act(({ dispatches }) => dispatches.cancel(lastDispatch.id))}
          >
            Cancel the work
          </button>
        )}
        {lastDispatch?.state === 'ended' && (
          <button
            type="button"
            disabled={isActing}
            onClick={() => act(({ dispatches }) => dispatches.retry(lastDispatch.id))}
          >
            Retry
          </button>
        )}
        <label className="control-field">
          <span className="unseen">Permission mode</span>
          <select
            disabled={!isThere || isActing}
            value={facts.permissionMode ?? ''}
            onChange={(event) => {
              const mode = PermissionMode.safeParse(event.target.value).data;
              if (mode) act(({ threads }) => threads.setPermissionMode(id, mode));
            }}
          >
            {facts.permissionMode === undefined && <option value="">permission mode</option>}
            {PermissionMode.options.map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
          </select>
        </label>
        <ModelField
          key={facts.model}
          model={facts.model ?? ''}
          isDisabled={!isThere || isActing}
          onSet={(model) => act(({ threads }) => threads.setModel(id, model))}
        />
      </div>
      <p role="alert" className="note is-bad">
        {control.failure}
      </p>
    </div>
  );
}

function ModelField({
  model,
  isDisabled,
  onSet,
}: {
  readonly model: string;
  readonly isDisabled: boolean;
  readonly onSet: (model: string) => void;
}): ReactNode {
  const [text, setText] = useState(model);
  const isChanged = text.trim() !== '' && text.trim() !== model;
  return (
    <form
      className="control-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) onSet(text.trim());
      }}
    >
      <input
        aria-label="Model"
        placeholder="model"
        disabled={isDisabled}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {isChanged && <button type="submit">Set</button>}
    </form>
  );
}
