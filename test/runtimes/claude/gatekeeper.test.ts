import { describe, expect, test } from 'vitest';
import { ClaudeGatekeeper } from '../../../src/runtimes/claude/gatekeeper.js';
import { ImpatientTools } from '../../../src/runtimes/claude/impatient-tools.js';
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
function gatekeeper(reply: object, { impatient = [] }: { impatient?: string[] } = {}) {
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
  const parts = {
    launch,
    preset,
    host,
    calls,
    repeats,
    asksItself,
    impatient: new ImpatientTools(impatient),
  };
  return { asked, gate: new ClaudeGatekeeper(parts) };
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

const decided = (permissionDecision: string) => ({ hookSpecificOutput: { permissionDecision } });

describe('a tool whose server did not wait for an answer', () => {
  const impatient = ['mcp__el__form'];
  const tool_input = { message: 'Deploy?' };
  const hook = { tool_name: 'mcp__el__form', tool_input, tool_use_id: 'call_1' } as unknown as Parameters<
    ClaudeGatekeeper['beforeTool']
  >[0];

  test('is put to a person before each call, and to nobody else', async () => {
    const { asked, gate } = gatekeeper({ answered: true, approved: true, scope: 'once' }, { impatient });
    expect(await gate.beforeTool(hook, call.signal)).toMatchObject(decided('allow'));
    expect(asked).toMatchObject([
      ['permission', { tool: 'mcp__el__form', input: tool_input, onlyPerson: true, isHeldBefore: true }],
    ]);
    expect(asked).toMatchObject([['permission', { reason: expect.stringContaining('about a minute') }]]);
    // The runtime may ask for the permission of the same call besides.
    expect(await gate.permission('mcp__el__form', tool_input, call)).toMatchObject({ behavior: 'allow' });
    expect(asked).toHaveLength(1);
    await gate.beforeTool({ ...hook, tool_use_id: 'call_2' }, call.signal);
    expect(asked).toHaveLength(2);
  });

  test('is refused with the words of the person, and other tools are not asked about', async () => {
    const { asked, gate } = gatekeeper({ answered: true, approved: false, scope: 'once' }, { impatient });
    expect(await gate.beforeTool(hook, call.signal)).toMatchObject(decided('deny'));
    expect(
      await gate.beforeTool({ ...hook, tool_name: 'mcp__el__look', tool_use_id: 'call_2' }, call.signal),
    ).toEqual({});
    expect(asked).toHaveLength(1);
  });

  test('lets its process go while it waits', async () => {
    const { gate } = gatekeeper({ answered: false, why: 'Later.', parked: true }, { impatient });
    expect(await gate.beforeTool(hook, call.signal)).toMatchObject(decided('defer'));
    expect(gate.hasDeferred('call_1')).toBe(true);
  });
});
