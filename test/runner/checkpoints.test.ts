import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../src/protocol/event.js';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, tool } from './prompting.js';
import { first, only } from './stable.js';

let stage: Stage;
let cwd: string;
let count = 0;
beforeAll(async () => {
  stage = await openStage('claude');
});
beforeEach(async () => {
  cwd = join(stage.home, `tree-${++count}`);
  await mkdir(cwd);
  await writeFile(join(cwd, 'kept.txt'), 'original');
  await writeFile(join(cwd, 'shell.txt'), 'original');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const at = (name: string) => join(cwd, name);
const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null);
const write = (name: string, content: string) =>
  `${tool('Read', { file_path: at('kept.txt') })} [[next]] ${tool('Write', { file_path: at(name), content })} [[next]] [[text ok]]`;
const args = () => ['--cwd', cwd, '--enable-checkpointing'];

function checkpoint(turn: readonly Event[], isResult: boolean): string {
  const [found] = only(turn, 'checkpoint_created').filter((event) => event.isResult === isResult);
  if (!found) throw new Error('no such checkpoint');
  return found.checkpointUuid;
}

async function rewind(runner: Driver, checkpointUuid: string): Promise<Event<'files_rewound'>> {
  runner.send({ type: 'rewind_files', checkpointUuid });
  return await runner.next('files_rewound');
}

describe('a checkpoint', () => {
  it('[arg --enable-checkpointing] [event checkpoint_created] [command rewind_files] [event files_rewound] is made per message and per result, and goes back to each', async () => {
    await using runner = new Driver(stage, { args: args() });
    const uuid = '00000000-0000-4000-8000-000000000001';
    const one = await runner.turn(write('kept.txt', 'first'), { uuid });
    const two = await runner.turn(write('kept.txt', 'second'));
    const three = await runner.turn(write('created.txt', 'third'));
    expect(
      [one, two, three].flatMap((turn) =>
        only(turn, 'checkpoint_created').map(({ messageIndex, isResult }) => [messageIndex, isResult]),
      ),
    ).toEqual([
      [0, false],
      [0, true],
      [1, false],
      [1, true],
      [2, false],
      [2, true],
    ]);

    expect(checkpoint(one, false)).toBe(uuid);

    // After the first turn: the edit of the second and the file of the third are gone.
    expect(await rewind(runner, checkpoint(one, true))).toMatchObject({ success: true });
    expect([read('kept.txt'), read('created.txt')]).toEqual(['first', null]);
    // Forward again, to the end of the third.
    expect(await rewind(runner, checkpoint(three, true))).toMatchObject({ success: true });
    expect([read('kept.txt'), read('created.txt')]).toEqual(['second', 'third']);
    // Before the third, and before everything.
    expect(await rewind(runner, checkpoint(three, false))).toMatchObject({ success: true });
    expect([read('kept.txt'), read('created.txt')]).toEqual(['second', null]);
    expect(await rewind(runner, uuid)).toMatchObject({ success: true });
    expect([read('kept.txt'), read('created.txt')]).toEqual(['original', null]);
  });

  it('[command rewind_files] names what it cannot restore, and knows no other uuid', {
    tags: ['full'],
  }, async () => {
    await using runner = new Driver(stage, { args: args() });
    const turn = await runner.turn(
      `${tool('Read', { file_path: at('kept.txt') })} [[next]] ${tool('Write', { file_path: at('kept.txt'), content: 'changed' })} ${bash('echo more >> shell.txt; echo new > by-shell.txt')} [[next]] [[text ok]]`,
    );
    const back = await rewind(runner, checkpoint(turn, false));
    expect(back).toMatchObject({ success: true, notRestored: ['by-shell.txt', 'shell.txt'] });
    expect(read('kept.txt')).toBe('original');

    const unknown = await rewind(runner, '00000000-0000-4000-8000-00000000dead');
    expect(unknown).toMatchObject({ success: false, error: expect.any(String) });
  });

  it('[command rewind_files] waits for the end of a turn', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: args() });
    const turn = await runner.turn(write('kept.txt', 'changed'));
    runner.message('[[hang]]');
    await runner.next('status_evidence', ({ fact }) => fact === 'turn_started');
    runner.send({ type: 'rewind_files', checkpointUuid: checkpoint(turn, false) });
    expect(await runner.next('command_error')).toMatchObject({ command: 'rewind_files' });
    expect(read('kept.txt')).toBe('changed');
  });

  it('[command rewind_files] works in a new process that resumed the session', {
    tags: ['full'],
  }, async () => {
    await using before = new Driver(stage, { args: args() });
    const one = await before.turn(write('kept.txt', 'first'));
    const two = await before.turn(write('created.txt', 'second'));
    before.closeInput();
    await before.end();

    const { sessionId } = first(one, 'turn_complete');
    await using after = new Driver(stage, { args: [...args(), '--resume', sessionId] });
    await after.turn('[[text back]]');
    expect(await rewind(after, checkpoint(one, true))).toMatchObject({ success: true });
    expect([read('kept.txt'), read('created.txt')]).toEqual(['first', null]);
    expect(await rewind(after, checkpoint(two, true))).toMatchObject({ success: true });
    expect([read('kept.txt'), read('created.txt')]).toEqual(['first', 'second']);
    expect(await rewind(after, checkpoint(one, false))).toMatchObject({ success: true });
    expect([read('kept.txt'), read('created.txt')]).toEqual(['original', null]);
  });

  it('is not made without the flag', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    expect(only(await runner.turn(write('kept.txt', 'x')), 'checkpoint_created')).toEqual([]);
  });

  it('[command rewind_files] right after a resume, before any message', { tags: ['full'] }, async () => {
    await using before = new Driver(stage, { args: args() });
    const one = await before.turn(write('kept.txt', 'first'));
    before.closeInput();
    await before.end();
    const { sessionId } = first(one, 'turn_complete');
    await using after = new Driver(stage, { args: [...args(), '--resume', sessionId] });
    expect(await rewind(after, checkpoint(one, false))).toMatchObject({ success: true });
    expect(read('kept.txt')).toBe('original');
  });
});
