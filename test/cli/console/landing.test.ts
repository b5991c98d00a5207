import { expect, it } from 'vitest';
import { noChanges, withPage } from '../../../src/cli/console/change-rows.js';
import { diffView } from '../../../src/cli/console/console-state.js';
import { ThreadId } from '../../../src/protocol/id.js';
import { ConsoleRig, sampleThread, sampleWorld, threadId } from './console-samples.js';

const id = ThreadId.parse(threadId(1));
const changes = withPage(noChanges(id), {
  revision: 'r',
  base: { commit: 'c', why: 'main' },
  isWorktree: true,
  totals: { files: 0, added: 0, removed: 0 },
  notes: [],
  files: [],
});
const world = sampleWorld({ threads: [sampleThread(1)], changes });
const rig = (more: ConstructorParameters<typeof ConsoleRig>[1] = {}, of = world) =>
  new ConsoleRig(of, { ...more, views: [{ kind: 'home' }, diffView(id)] });

it.each([
  ['M', 'merge', 'Merge this into the branch'],
  ['A', 'apply', 'Put these changes, staged,'],
  ['P', 'pull_request', 'Push the branch and open'],
  ['X', 'discard', 'Remove worktree and branch?'],
])('%s asks first, and y does it: %s', (key, how, words) => {
  const asked = rig().type(key);
  expect(asked.effects).toEqual([]);
  expect(asked.lines()[2]).toContain(words);
  expect(asked.type('y').effects).toEqual([{ kind: 'land', threadId: id, how }]);
  expect(asked.lines()[2]).not.toContain(words);
});

it.each(['n', 'Y', '\r', '\u001B', ' ', 'M', '\u001B[200~y\u001B[201~'])('%j is no yes', (key) => {
  const asked = rig().type('M').type(key);
  expect(asked.effects).toEqual([]);
  expect(asked.type('y').effects).toEqual([]);
});

it('takes no yes that came with the key before it, or that is held', () => {
  expect(rig().type('My', { everyMs: 1 }).effects).toEqual([]);
  expect(rig().type('M').type('y', { isRepeat: true }).effects).toEqual([]);
});

it('lands nothing whose changes are not here, or are those of another thread', () => {
  const others = { ...changes, threadId: ThreadId.parse(threadId(2)) };
  for (const shown of [undefined, noChanges(id), { ...changes, failure: 'No repository.' }, others]) {
    const asked = rig({}, { ...world, changes: shown }).type('My');
    expect(asked.effects).toEqual([]);
    expect(asked.type('M').state.toast?.words).toContain('so nothing is done with them');
  }
});

it.each([
  [80, 24],
  [40, 12],
  [300, 60],
])('asks at %i columns and %i rows', (columns, rows) => {
  const lines = rig({ columns, rows }).type('M').lines();
  expect(lines[2]).toMatch(/^ Merge this into/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
});
