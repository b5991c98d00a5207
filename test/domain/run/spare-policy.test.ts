import { expect, test } from 'vitest';
import { keepsAgent, type LastStart, spareKind } from '../../../src/domain/run/spare-policy.js';

const gib = 2 ** 30;

test.for([
  [1, 'none'],
  [2, 'runner'],
  [4, 'runner'],
  [6, 'agent'],
  [64, 'agent'],
] as const)('with %d GiB: %s', ([size, kind]) => {
  expect(spareKind(size * gib)).toBe(kind);
});

const container = { image: 'img' } as unknown as NonNullable<LastStart['posture']['container']>;
const cases: readonly [string, boolean, Partial<LastStart>][] = [
  ['a new session', true, {}],
  [
    'with model, mode and instructions',
    true,
    { posture: { model: 'm', permissionMode: 'plan', instructions: 'i' } },
  ],
  ['with empty lists', true, { posture: { env: {}, mcpServers: {} }, projectCode: [] }],
  ['a session that goes on', false, { resume: 's' }],
  ['a fork', false, { resume: 's', fork: true }],
  ['approved code of the project', false, { projectCode: [{ path: '.mcp.json', text: '{}' }] }],
  ['variables of its own, as a worktree with ports has', false, { posture: { env: { PORT: '1' } } }],
  ['servers of its own', false, { posture: { mcpServers: { a: { command: 'x' } } } }],
  ['a container', false, { posture: { container } }],
  ['a second model', false, { posture: { fallbackModel: 'f' } }],
  ['debugging', false, { posture: { debug: true } }],
];

test.for(cases)('after a start of Claude, %s: an agent is kept: %s', ([, kept, start]) => {
  expect(keepsAgent('claude', { posture: {}, ...start })).toBe(kept);
});

test('other runtimes have no agent that can wait', () => {
  expect(keepsAgent('codex', { posture: {} })).toBe(false);
});
