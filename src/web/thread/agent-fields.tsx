import type { ReactNode } from 'react';
import { modeWords } from '../../domain/words/mode-words.js';
import type { AgentFacts } from '../../live/agent-facts.js';
import { PermissionMode } from '../../protocol/posture.js';
import type { Thread } from '../../protocol/thread.js';
import { agentOffer } from '../dispatch/runtime-offer.js';
import { useRuntimes } from '../dispatch/use-runtimes.js';
import type { Control } from '../parts/use-control.js';
import { Only } from '../rights.js';
import { ModelField } from './model-field.js';

/** What can be changed of the agent: only what its runtime can do. */
export function AgentFields({
  thread: { id, runtime },
  facts,
  control: { act },
  isUnable,
}: {
  readonly thread: Thread;
  readonly facts: AgentFacts;
  readonly control: Control;
  readonly isUnable: boolean;
}): ReactNode {
  const mode = PermissionMode.safeParse(facts.permissionMode).data;
  const offer = agentOffer({ runtime, mode }, useRuntimes(true));
  return (
    <>
      <Only to="approve">
        <label className="menu-field">
          Permission mode
          <select
            disabled={isUnable}
            value={mode ?? ''}
            onChange={(event) => {
              const mode = PermissionMode.safeParse(event.target.value).data;
              if (mode) act(({ threads }) => threads.setPermissionMode(id, mode));
            }}
          >
            {mode === undefined && <option value="">not known yet</option>}
            {offer.modes.map((mode) => (
              <option key={mode} value={mode}>
                {modeWords[mode]}
              </option>
            ))}
          </select>
        </label>
      </Only>
      {offer.hasModel && (
        <Only to="dispatch">
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
        </Only>
      )}
    </>
  );
}
