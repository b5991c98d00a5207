import { editedFingerprint } from '../../domain/prompts/edited-action.js';
import type { ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { sha256 } from '../sha256.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { LeasedDispatch } from './leased-dispatch.js';

/** What was approved with changes is told to the agent, and so it is what the agent may do without being asked. */
export async function bindToApproved(
  prompt: ThreadPrompt,
  {
    changes,
    leased,
    cwd,
  }: { readonly changes: ThreadChanges; readonly leased: LeasedDispatch; readonly cwd: string },
): Promise<void> {
  const fingerprint = editedFingerprint(prompt, { cwd, sha256 });
  if (fingerprint === null || fingerprint === prompt.fingerprint) return;
  await changes.commit(leased.row.threadId, (state) => ({
    operations: [{ do: 'patchPrompt', promptId: prompt.id, patch: { fingerprint } }],
    state: {
      ...state,
      prompts: state.prompts.map((each) => (each.id === prompt.id ? { ...each, fingerprint } : each)),
    },
    lease: leased.lease,
    result: undefined,
  }));
}
