import { expect, test } from 'vitest';
import {
  autonomousDecision,
  type ThreadPermissions,
} from '../../../src/domain/prompts/autonomous-decision.js';

const plan = (text: unknown) => ({ tool: 'plan', input: { plan: text }, digest: 'd' });
const autonomous: ThreadPermissions = {
  permissions: 'autonomous',
  launchMode: 'bypassPermissions',
  mode: undefined,
};
const empty = { approved: false, message: 'The plan is empty. Write it, then ask again.' };

test.each([
  ['a plan', plan('1. Look'), autonomous, { approved: true }],
  ['an empty plan', plan(''), autonomous, empty],
  ['a plan of spaces', plan(' \n\t'), autonomous, empty],
  ['no plan at all', plan(undefined), autonomous, empty],
  ['a plan in a thread made to plan', plan('1. Look'), { ...autonomous, launchMode: 'plan' }, null],
  ['an empty plan in a thread made to plan', plan(''), { ...autonomous, launchMode: 'plan' }, null],
  ['an action', { tool: 'Bash', input: { command: 'ls' }, digest: 'd' }, autonomous, { approved: true }],
] as const)('%s', (_name, action, thread, decision) => {
  expect(autonomousDecision({ kind: 'approval', action }, thread)).toEqual(decision);
});
