import { expect, test } from 'vitest';
import { ClaudeGatekeeper } from '../../../src/runtimes/claude/gatekeeper.js';
import { PresetRule } from '../../../src/runtimes/claude/tool-preset.js';
import type { Launch, RuntimeHost } from '../../../src/runtimes/runtime.js';

const input = {
  questions: [
    { question: 'Which?', header: 'H', multiSelect: false, options: [{ label: 'A', description: 'A' }] },
  ],
};
const call = { signal: new AbortController().signal, toolUseID: 'call_1' };

const asksItself = (tool: string) => tool === 'mcp__handraise__propose';

/** A gatekeeper whose person answers so, and what the person was asked. */
function gatekeeper(reply: object) {
  const asked: unknown[] = [];
  const ask = async (kind: string, request: object) => {
    asked.push([kind, request]);
    return reply;
  };
  const host = { ask } as unknown as Pick<RuntimeHost, 'ask'>;
  const launch = { cwd: '/w' } as unknown as Launch;
  const calls = { find: () => undefined };
  const preset = new PresetRule('full', []);
  const cutOff = { has: async () => false, forget: async () => {} };
  const repeats = { cutOff, isReadOnly: async () => false };
  return { asked, gate: new ClaudeGatekeeper({ launch, preset, host, calls, repeats, asksItself }) };
}

test('a tool that asks by itself is called without another question', async () => {
  const { asked, gate } = gatekeeper({ answered: true, approved: false, scope: 'once' });
  const proposal = { autoSetup: true };
  expect(await gate.permission('mcp__handraise__propose', proposal, call)).toEqual({
    behavior: 'allow',
    updatedInput: proposal,
  });
  expect(asked).toEqual([]);
});

// A session that is resumed with a deferred question may ask for a permission before it knows our hooks.
test('a question that comes as a permission is asked as the question that it is', async () => {
  const { asked, gate } = gatekeeper({ answered: true, answers: { 'Which?': 'A' } });
  expect(await gate.permission('AskUserQuestion', input, call)).toEqual({
    behavior: 'allow',
    updatedInput: { ...input, answers: { 'Which?': 'A' } },
  });
  expect(asked).toMatchObject([['question', { toolUseId: 'call_1', questions: [{ question: 'Which?' }] }]]);
});

test('a plan that comes as a permission is asked as the plan that it is', async () => {
  const { asked, gate } = gatekeeper({ answered: true, approved: false, reason: 'Too long.' });
  expect(await gate.permission('ExitPlanMode', { plan: '# P' }, call)).toEqual({
    behavior: 'deny',
    message: 'The person did not approve the plan: Too long.',
    interrupt: false,
  });
  expect(asked).toEqual([['plan', { planContent: '# P', toolUseId: 'call_1' }]]);
});

test('what nobody answers there is said to be unanswered, and what is parked stops the turn', async () => {
  const unanswered = gatekeeper({ answered: false, why: 'No.' });
  expect(await unanswered.gate.permission('AskUserQuestion', input, call)).toMatchObject({
    behavior: 'deny',
    message: expect.stringContaining('Nobody answered: No.'),
    interrupt: false,
  });
  const parked = gatekeeper({ answered: false, why: 'Later.', parked: true });
  expect(await parked.gate.permission('AskUserQuestion', input, call)).toMatchObject({ interrupt: true });
});

test('a call that comes twice is asked once, also when the second comes while the first is open', async () => {
  const { asked, gate } = gatekeeper({ answered: true, answers: { 'Which?': 'A' } });
  const hook = {
    tool_name: 'AskUserQuestion',
    tool_input: input,
    tool_use_id: 'call_1',
  } as unknown as Parameters<typeof gate.beforeTool>[0];
  const [first, second] = await Promise.all([
    gate.permission('AskUserQuestion', input, call),
    gate.beforeTool(hook, call.signal),
  ]);
  expect(first).toMatchObject({ behavior: 'allow' });
  expect(second).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
  expect(await gate.beforeTool(hook, call.signal)).toEqual(second);
  expect(asked).toHaveLength(1);
});

test('a call that nobody answered is asked again when it comes again', async () => {
  const { asked, gate } = gatekeeper({ answered: false, why: 'No.' });
  await gate.permission('AskUserQuestion', input, call);
  await gate.permission('AskUserQuestion', input, call);
  expect(asked).toHaveLength(2);
});
