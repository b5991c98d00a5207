import { expect, it } from 'vitest';
import { isBelow, type TakeOverFacts, whyNotTaken } from '../../../src/domain/worker/take-over.js';

const shared: TakeOverFacts = {
  path: '/srv/work/shop',
  sharedFolders: { theirs: ['/srv/work'], ours: ['/srv/work'] },
  isThere: true,
  isInTerminal: false,
  canRun: true,
  isDraining: false,
};

it.each<[string, Partial<TakeOverFacts>, ReturnType<typeof whyNotTaken>]>([
  ['both share the folder', {}, null],
  ['one shares more than the other', { sharedFolders: { theirs: ['/srv'], ours: ['/srv/work/shop'] } }, null],
  ['only the other one says so', { sharedFolders: { theirs: ['/srv/work'], ours: [] } }, 'elsewhere'],
  ['only this one says so', { sharedFolders: { theirs: [], ours: ['/srv/work'] } }, 'elsewhere'],
  ['a folder beside it', { path: '/srv/workbench' }, 'elsewhere'],
  ['it is not mounted here', { isThere: false }, 'elsewhere'],
  ['a repository can be fetched here', { canFetch: true, isThere: false }, null],
  ['it can be fetched by the other one alone', { canFetch: false, isThere: false }, 'elsewhere'],
  ['its agent is not installed here', { canFetch: true, canRun: false }, 'runtime'],
  ['a repository in a terminal', { canFetch: true, isInTerminal: true }, 'terminal'],
  ['somebody has it in a terminal', { isInTerminal: true }, 'terminal'],
  ['the agent is not installed here', { canRun: false }, 'runtime'],
  ['this worker takes no new work', { isDraining: true }, 'draining'],
])('%s', (_what, facts, why) => {
  expect(whyNotTaken({ ...shared, ...facts })).toBe(why);
});

it.each([
  ['/srv', ['/srv'], true],
  ['/srv/a', ['/srv/'], true],
  ['/srva', ['/srv'], false],
  ['/anything', ['/'], true],
  ['/srv', [], false],
] as const)('%s below %j: %s', (path, folders, below) => {
  expect(isBelow(path, folders)).toBe(below);
});
