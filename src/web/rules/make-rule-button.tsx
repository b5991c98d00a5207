import { type ReactNode, Suspense, useState } from 'react';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { loadedPart } from '../loaded-part.js';
import { useMay } from '../rights.js';

const RuleMaker = loadedPart(() => import('./rule-maker.js'));

const fileTools: ReadonlySet<string> = new Set(['Read', 'Edit', 'MultiEdit', 'Write']);

/** Whether rules may be about such a prompt at all; the worker looks closer, and says why one cannot be made. */
function isRuleMaterial({ kind, action, questions }: Pick<Prompt, 'kind' | 'action' | 'questions'>): boolean {
  if (kind === 'approval')
    return action !== undefined && (action.tool === 'Bash' || fileTools.has(action.tool));
  return !questions.some(({ isSecret, byWorker }) => isSecret === true || byWorker !== undefined);
}

/** Where a rule is made from an answer that a person gave to this prompt, or to an earlier one like it. */
export function MakeRuleButton({
  prompt,
  answered = prompt.id,
}: {
  readonly prompt: Pick<Prompt, 'id' | 'kind' | 'action' | 'questions'>;
  /** The prompt that has the answer. */
  readonly answered?: PromptId;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const canMake = useMay('approve');
  if (!canMake || !isRuleMaterial(prompt)) return null;
  if (!isOpen)
    return (
      <button type="button" className="plain" onClick={() => setOpen(true)}>
        Make a rule…
      </button>
    );
  return (
    <Suspense>
      <RuleMaker
        promptId={answered}
        hasReach={fileTools.has(prompt.action?.tool ?? '')}
        onClose={() => setOpen(false)}
      />
    </Suspense>
  );
}
