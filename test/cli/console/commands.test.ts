import { expect, it } from 'vitest';
import { ConsoleRig, sampleApproval, sampleThread, sampleWorld, threadId } from './console-samples.js';

const lastDispatch = { id: `dsp_01k9y${'0'.repeat(21)}`, state: 'ended', result: 'failed', why: 'It broke.' };
const world = sampleWorld({
  threads: [
    sampleThread(1, { title: 'Round the totals', lastDispatch }),
    sampleThread(2, { title: 'Index the archive', lastDispatch }),
  ],
  prompts: [],
});

it('finds commands by their words, shows their keys, and does the chosen one where the person was', () => {
  const rig = new ConsoleRig(world).type('\u001B[B').type(':archive');
  expect(rig.lines().slice(2, 7)).toEqual([
    ' : archive▏',
    '',
    '▸ #          archive',
    '  ✗ Failed   Index the archive',
    '',
  ]);
  rig.type('\r');
  expect(rig.effects).toEqual([{ kind: 'archive', threadIds: [threadId(1)] }]);
  expect(rig.state.views).toEqual([{ kind: 'home' }]);
});

it('leads to a thread by its title', () => {
  const rig = new ConsoleRig(world).type(':tot\r');
  expect(rig.state.views.at(-1)).toEqual({ kind: 'thread', threadId: threadId(1), anchor: undefined });
  expect(rig.effects).toEqual([{ kind: 'read_thread', threadId: threadId(1) }]);
});

it('says when nothing matches, does nothing then, and Esc leads back', () => {
  const rig = new ConsoleRig(world).type(':no such thing\r');
  expect(rig.lines()).toContain(' No command and no thread matches these words.');
  rig.type('\u001B');
  expect([rig.state.views, rig.effects]).toEqual([[{ kind: 'home' }], []]);
});

it('never offers an answer: a prompt is decided where all of it is in sight', () => {
  const asking = sampleWorld({ threads: [sampleThread(1)], prompts: [sampleApproval(1, { command: 'ls' })] });
  const rig = new ConsoleRig(asking).type('gi').type(':approve');
  expect(rig.lines()).toContain(' No command and no thread matches these words.');
  expect(rig.type('\r').effects).toEqual([]);
});
