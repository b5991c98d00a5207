import { expect, test } from 'vitest';
import { planTool } from '../../../src/domain/prompts/plan-action.js';
import { scriptsProposalTool } from '../../../src/domain/prompts/scripts-proposal.js';
import { grantedBy, grantText } from '../../../src/domain/prompts/thread-grant.js';

const push = { tool: 'Bash', input: { command: 'git push origin feature', description: 'Push' } };

test.each([
  ['the same', push, true],
  ['other words for it', { ...push, input: { ...push.input, description: 'Other' } }, true],
  [
    'another order of the fields',
    { ...push, input: { description: 'x', command: push.input.command } },
    true,
  ],
  ['a longer command', { ...push, input: { command: 'git push origin feature --force' } }, false],
  ['a space more', { ...push, input: { command: 'git push origin  feature' } }, false],
  ['another folder', { ...push, input: { ...push.input, cwd: '/' } }, false],
  ['without the sandbox', { ...push, input: { ...push.input, dangerouslyDisableSandbox: true } }, false],
  ['another tool', { ...push, tool: 'Monitor' }, false],
])('%s', (_name, other, isSame) => {
  expect(grantText(other) === grantText(push)).toBe(isSame);
});

test('the words of another tool than the shell are part of what it does', () => {
  const write = { tool: 'mcp__issues__create', input: { description: 'a' } };
  expect(grantText({ ...write, input: { description: 'b' } })).not.toBe(grantText(write));
});

test.each([
  ['once', { approved: true, scope: 'once' }, null],
  ['without a scope', { approved: true }, null],
  ['denied', { approved: false, scope: 'thread' }, null],
  ['for the thread', { approved: true, scope: 'thread' }, push],
  [
    'edited',
    { approved: true, scope: 'thread', updatedInput: { command: 'ls' } },
    { tool: 'Bash', input: { command: 'ls' } },
  ],
] as const)('an approval %s grants what was approved', (_name, decision, granted) => {
  const action = { ...push, digest: 'd' };
  expect(grantedBy({ action }, decision)).toEqual(granted);
  expect(grantedBy({ action: { ...action, tool: planTool } }, decision)).toBeNull();
  expect(grantedBy({ action: { ...action, tool: scriptsProposalTool } }, decision)).toBeNull();
  expect(grantedBy({ action: undefined }, decision)).toBeNull();
});
