import type { ReactNode } from 'react';
import { currentWork } from '../../domain/dispatch/current-work.js';
import type { AgentFacts } from '../../live/agent-facts.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import type { Thread } from '../../protocol/thread.js';
import { Disclosure } from '../parts/disclosure.js';
import type { Control } from '../parts/use-control.js';
import { Only } from '../rights.js';
import { AgentFields } from './agent-fields.js';
import { isThere } from './at-work.js';
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
      <Only to="dispatch">
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
      </Only>
      <AgentFields thread={thread} facts={facts} control={control} isUnable={isUnable} />
      <Only to="dispatch">
        <hr />
        <SnoozeItems thread={thread} control={control} />
        <PutAside thread={thread} control={control} />
      </Only>
    </Disclosure>
  );
}
