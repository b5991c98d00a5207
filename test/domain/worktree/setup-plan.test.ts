import { expect, test } from 'vitest';
import { setupPlan } from '../../../src/domain/worktree/setup-plan.js';

const npm = { name: 'Install', command: 'npm ci' };
const project = (isApproved: boolean) => ({
  config: { setupScripts: [npm], copyFiles: ['.env'], ports: 5 },
  isApproved,
});
const nothing = { copyFiles: [], scripts: [], isWithheld: false };

test.each([
  ['nobody says anything', { user: undefined, project: undefined }, nothing],
  [
    'a project whose scripts nobody has approved',
    { user: undefined, project: project(false) },
    { copyFiles: ['.env'], ports: 5, scripts: [], isWithheld: true },
  ],
  [
    'a project whose scripts were approved',
    { user: undefined, project: project(true) },
    { copyFiles: ['.env'], ports: 5, scripts: [npm], isWithheld: false },
  ],
  [
    'a project without scripts needs no approval',
    {
      user: undefined,
      project: { config: { setupScripts: [], copyFiles: ['.env', '.env'] }, isApproved: false },
    },
    { ...nothing, copyFiles: ['.env'] },
  ],
  [
    'the user says how, so the project is not asked',
    { user: { setup: 'make deps' }, project: project(false) },
    { copyFiles: ['.env'], ports: 5, scripts: [{ name: 'Set up', command: 'make deps' }], isWithheld: false },
  ],
  [
    'the user replaces one thing at a time, also by nothing',
    { user: { copyFiles: [], ports: 2 }, project: project(true) },
    { copyFiles: [], ports: 2, scripts: [npm], isWithheld: false },
  ],
])('%s', (_name, given, plan) => {
  expect(setupPlan(given)).toEqual(plan);
});
