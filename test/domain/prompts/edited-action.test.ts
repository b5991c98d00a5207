import { expect, it } from 'vitest';
import { askedBy } from '../../../src/domain/prompts/asking.js';
import { editedFingerprint } from '../../../src/domain/prompts/edited-action.js';
import { fingerprintText } from '../../../src/domain/prompts/fingerprint.js';
import type { ApprovalDecision } from '../../../src/protocol/prompt.js';

const context = { cwd: '/work', sha256: (text: string) => `hash of ${text}` };

/** What an agent asks that wants to run this. */
function asking(command: string) {
  const asked = askedBy(
    { type: 'permission_request', requestId: 'r', toolUseId: 't', tool: 'Bash', input: { command } },
    context,
  );
  if (!asked) throw new Error('unreachable');
  return asked;
}

it.each<[ApprovalDecision, string | null]>([
  [{ approved: true }, null],
  [{ approved: false, updatedInput: { command: 'other' } }, null],
  [{ approved: true, updatedInput: { command: 'other' } }, 'other'],
])('%j is consent to what an agent asks that wants to run %s', (decision, command) => {
  const { kind, questions, action } = asking('proposed');
  expect(editedFingerprint({ kind, questions: [...questions], action, answer: { decision } }, context)).toBe(
    command === null ? null : context.sha256(fingerprintText(asking(command))),
  );
});
