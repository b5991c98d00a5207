import type { ReactNode } from 'react';
import { actorWords } from '../../domain/words/actor-words.js';
import { duration } from '../../domain/words/age.js';
import { settlementWords, undoWords } from '../../domain/words/settlement-words.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { ToolInput } from '../parts/tool-input.js';
import { MakeRuleButton } from '../rules/make-rule-button.js';

export interface SettlementProps {
  readonly prompt: Prompt;
  /** Leads to what waits next; a prompt that was settled while it was shown stays until then. */
  readonly onNext?: (() => void) | undefined;
}

/** How a prompt was settled and by whom, and how far its answer has come. */
export function Settlement({ prompt, onNext }: SettlementProps): ReactNode {
  useKeys(onNext ? { Enter: onNext } : {});
  const { actor, decision } = prompt;
  const undo = undoWords(prompt, useNow(useConsole().clock));
  return (
    <div className="settlement" role="status">
      <p className="settlement-words">
        {settlementWords(prompt)}
        {actor !== undefined && <span className="note"> · by {actorWords(actor)}</span>}
        {undo !== '' && <span className="note">, {undo}</span>}
      </p>
      {decision?.updatedInput && (
        <details>
          <summary>What was approved in place of what the agent had proposed</summary>
          <ToolInput input={decision.updatedInput} />
        </details>
      )}
      <Receipts prompt={prompt} />
      {actor?.startsWith('user:') === true && decision?.updatedInput === undefined && (
        <MakeRuleButton prompt={prompt} />
      )}
      {onNext && (
        <button type="button" onClick={onNext}>
          Next <kbd>Enter</kbd>
        </button>
      )}
    </div>
  );
}

/** The way of an answer: accepted, delivered, consumed; what has not happened yet is said to come. */
function Receipts({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const { acceptedAt, deliveredAt, consumedAt, state } = prompt;
  if (acceptedAt === undefined) return null;
  const later = (at: string) => duration(Date.parse(at) - Date.parse(acceptedAt));
  return (
    <ol className="receipts" aria-label="Receipts">
      <li className="is-there" title={acceptedAt}>
        ✓ accepted
      </li>
      {deliveredAt !== undefined ? (
        <li className="is-there" title={deliveredAt}>
          ✓ delivered <span className="note">+{later(deliveredAt)}</span>
        </li>
      ) : (
        state === 'pending' && <li>… waiting until the agent can be reached</li>
      )}
      {consumedAt !== undefined ? (
        <li className="is-there" title={consumedAt}>
          ✓ consumed <span className="note">+{later(consumedAt)}</span>
        </li>
      ) : (
        deliveredAt !== undefined && <li>… not consumed yet</li>
      )}
    </ol>
  );
}
