import type { ReactNode } from 'react';
import { currentWork } from '../../domain/dispatch/current-work.js';
import { modeWords } from '../../domain/words/mode-words.js';
import type { AgentFacts } from '../../live/agent-facts.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { PermissionMode } from '../../protocol/posture.js';
import type { Thread } from '../../protocol/thread.js';
import { useKeys } from '../keys/use-keys.js';
import type { Control } from '../parts/use-control.js';
import { ModelField } from './model-field.js';
import { PutAside } from './put-aside.js';

const atWork = new Set(['busy', 'question', 'initializing']);

/** What can be done to the agent besides talking to it. */
export function ThreadControls({
  thread,
  work,
  facts,
  control,
}: {
  readonly thread: Thread;
  /** Its work that has not ended, oldest first. */
  readonly work: readonly Dispatch[];
  readonly facts: AgentFacts;
  readonly control: Control;
}): ReactNode {
  const { id, status, lastDispatch } = thread;
  const { act, isActing } = control;
  const current = currentWork(work);
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
        {current && (
          <button
            type="button"
            disabled={isActing}
            onClick={() => act(({ dispatches }) => dispatches.cancel(current.id))}
          >
            Cancel work
          </button>
        )}
        {!current && lastDispatch?.state === 'ended' && (
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
            {facts.permissionMode === undefined && <option value="">Permission mode</option>}
            {PermissionMode.options.map((mode) => (
              <option key={mode} value={mode}>
                {modeWords[mode]}
              </option>
            ))}
          </select>
        </label>
        <ModelField
          key={facts.model}
          threadId={id}
          model={facts.model ?? ''}
          isDisabled={!isThere || isActing}
          onSet={(model) => act(({ threads }) => threads.setModel(id, model))}
        />
        <PutAside thread={thread} control={control} />
      </div>
      <p role="alert" className="note is-bad">
        {control.failure}
      </p>
    </div>
  );
}
