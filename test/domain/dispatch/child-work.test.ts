import { expect, it } from 'vitest';
import { childWork, deepestWork, type ParentWork } from '../../../src/domain/dispatch/child-work.js';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import { ThreadId } from '../../../src/protocol/id.js';

const parent: ParentWork = {
  runtime: 'codex',
  permissions: 'autonomous',
  posture: {
    model: 'small',
    permissionMode: 'bypassPermissions',
    toolPreset: 'read-only',
    maxTurns: 3,
    structuredOutput: { type: 'object' },
    linearIssue: 'HR-1',
  },
  request: { noInput: true, budget: { usd: 2 } },
  depth: 0,
};
const asked: DispatchRequest = { text: 'Look at it', workspace: { path: '/work', worktree: true } };

it('work of an agent has what its parent has: runtime, model, budget, permissions, tools, silence', () => {
  expect(childWork({ ...asked, priority: 2, permissions: 'approval' }, parent)).toEqual({
    text: 'Look at it',
    priority: 2,
    workspace: { path: '/work', worktree: true },
    noInput: true,
    budget: { usd: 2 },
    runtime: 'codex',
    permissions: 'autonomous',
    // What the parent alone was to answer with, or for, is not the child's.
    posture: { model: 'small', permissionMode: 'bypassPermissions', toolPreset: 'read-only', maxTurns: 3 },
  });
});

it.each([
  ['runtime', { runtime: 'claude' }],
  ['posture', { posture: { model: 'large' } }],
] as const)('an agent does not choose the %s', (name, chosen) => {
  expect(() => childWork({ ...asked, ...chosen }, parent)).toThrow(`Leave ${name} out.`);
});

it.each([
  [0, true],
  [deepestWork - 1, true],
  [deepestWork, false],
  [deepestWork + 1, false],
])('work that is %i steps from a person asks for more: %s', (depth, isTaken) => {
  const made = () => childWork(asked, { ...parent, depth });
  if (isTaken) expect(made().text).toBe('Look at it');
  else expect(made).toThrow('it cannot ask for more');
});

it('more work for a thread that is there keeps what the thread was made with', () => {
  const thread = ThreadId.parse('thr_01k9w00000000000000000000a');
  expect(childWork({ text: 'More', thread }, { ...parent, depth: deepestWork })).toEqual({
    text: 'More',
    thread,
    noInput: true,
    budget: { usd: 2 },
  });
});
