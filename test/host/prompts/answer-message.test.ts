import { expect, it } from 'vitest';
import { scriptsProposalTool } from '../../../src/domain/prompts/scripts-proposal.js';
import type { ThreadPrompt } from '../../../src/domain/prompts/thread-prompt.js';
import { answerMessage } from '../../../src/host/prompts/answer-message.js';
import { PromptId, ThreadId } from '../../../src/protocol/id.js';
import type { ApprovalDecision } from '../../../src/protocol/prompt.js';

const question = 'May the agent use Bash?';
const asked = 'You asked to use Bash with {"command":"npm test"}.';

function decided(decision: ApprovalDecision): ThreadPrompt {
  return {
    id: PromptId.parse('prm_01k00000000000000000000000'),
    threadId: ThreadId.parse('thr_01k00000000000000000000000'),
    kind: 'approval',
    state: 'pending',
    active: false,
    questions: [{ question, multiSelect: false, options: [] }],
    action: { tool: 'Bash', input: { command: 'npm test' }, digest: 'd' },
    fingerprint: 'f',
    onUnanswered: 'wait',
    createdAt: '2026-01-01T00:00:00.000Z',
    answers: [{ question, answer: [decision.approved ? 'Approve' : 'Deny'] }],
    answer: { decision },
  };
}

it.each<[ApprovalDecision, string]>([
  [{ approved: true }, 'It is approved, exactly so and once: do it now.'],
  [
    { approved: true, updatedInput: { command: 'npm test -- --bail' } },
    'Not that, but this is approved in its place, exactly so and once: Bash with {"command":"npm test -- --bail"}. Do it now.',
  ],
  [{ approved: false }, 'It was not approved. Do not do it.'],
  [{ approved: false, message: 'Later.' }, 'It was not approved. Do not do it. The answer says: Later.'],
])('an agent that does not wait any more is told %j', (decision, verdict) => {
  expect(answerMessage(decided(decision))).toBe(`${asked} ${verdict}\n\nContinue your work.`);
});

const proposed = (decision: ApprovalDecision) => ({
  ...decided(decision),
  action: { tool: scriptsProposalTool, input: { file_path: '.handraise/config.json' }, digest: 'd' },
});

it('an approved file is saved by the tool that proposes it again, and a refused one by nobody', () => {
  expect(answerMessage(proposed({ approved: true }))).toContain(
    'Call propose_scripts_config again with the same input',
  );
  expect(answerMessage(proposed({ approved: false, message: 'No.' }))).toContain(
    'It was not approved. Do not do it.',
  );
});
