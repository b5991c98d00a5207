import type { ReactNode } from 'react';
import { duration } from '../../domain/age.js';
import { plainLine } from '../../domain/plain-text.js';
import { settlementWords } from '../../domain/settlement-words.js';
import type { Prompt } from '../../protocol/prompt.js';

/** How a prompt was settled and by whom, and how far its answer has come. */
export function Settlement({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const { actor } = prompt;
  return (
    <div className="settlement">
      <p className="settlement-words">
        {settlementWords(prompt)}
        {actor !== undefined && <span className="note"> by {plainLine(actor)}</span>}
      </p>
      <Receipts prompt={prompt} />
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
        state === 'pending' && <li>… delivered as soon as the agent can be reached</li>
      )}
      {consumedAt !== undefined ? (
        <li className="is-there" title={consumedAt}>
          ✓ consumed <span className="note">+{later(consumedAt)}</span>
        </li>
      ) : (
        deliveredAt !== undefined && <li>… consumed when the agent goes on</li>
      )}
    </ol>
  );
}
