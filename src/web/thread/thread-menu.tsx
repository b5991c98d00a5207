import type { ReactNode } from 'react';
import { currentWork } from '../../domain/dispatch/current-work.js';
import { modeWords } from '../../domain/words/mode-words.js';
import type { AgentFacts } from '../../live/agent-facts.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { PermissionMode } from '../../protocol/posture.js';
import type { Thread } from '../../protocol/thread.js';
import { Disclosure } from '../parts/disclosure.js';
import type { Control } from '../parts/use-control.js';
import { isThere } from './at-work.js';
import { ModelField } from './model-field.js';
import { PutAside } from './put-aside.js';
import { SnoozeItems } from './snooze-items.js';

/** What is done to the agent and its thread more rarely than answering and interrupting. */
export function ThreadMenu({
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
  const { id, lastDispatch } = thread;
  const { act, isActing } = control;
  const current = currentWork(work);
  const isUnable = !isThere(thread) || isActing;
  return (
    <Disclosure label="More actions">
      <button type="button" disabled={isUnable} onClick={() => act(({ threads }) => threads.stop(id))}>
        Stop the agent
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
      <hr />
      <label className="menu-field">
        Permission mode
        <select
          disabled={isUnable}
          value={facts.permissionMode ?? ''}
          onChange={(event) => {
            const mode = PermissionMode.safeParse(event.target.value).data;
            if (mode) act(({ threads }) => threads.setPermissionMode(id, mode));
          }}
        >
          {facts.permissionMode === undefined && <option value="">not known yet</option>}
          {PermissionMode.options.map((mode) => (
            <option key={mode} value={mode}>
              {modeWords[mode]}
            </option>
          ))}
        </select>
      </label>
      <div className="menu-field">
        <span aria-hidden="true">Model</span>
        <ModelField
          key={facts.model}
          threadId={id}
          model={facts.model ?? ''}
          isDisabled={isUnable}
          onSet={(model) => act(({ threads }) => threads.setModel(id, model))}
        />
      </div>
      <hr />
      <SnoozeItems thread={thread} control={control} />
      <PutAside thread={thread} control={control} />
    </Disclosure>
  );
}
