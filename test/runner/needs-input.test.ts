import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, tool } from './prompting.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
let cwd: string;
let count = 0;
beforeAll(async () => {
  stage = await openStage('claude');
});
beforeEach(async () => {
  cwd = join(stage.home, `tree-${++count}`);
  await mkdir(cwd);
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const sentinel = () => join(cwd, '.agora', 'needs_input.json');
const ask = (content: string) =>
  `${tool('Write', { file_path: sentinel(), content })} [[next]] [[text I wait.]]`;

const askingWith = (bytes: number) =>
  `${bash(`mkdir -p .agora; node -e "fs.writeFileSync('.agora/needs_input.json', JSON.stringify({question: 'Q?', partial_state: 'x'.repeat(${bytes} - 2)}))"`)} [[next]] [[text I wait.]]`;

describe('a needs-input file', () => {
  it('[event needs_input] holds the queue, and the next message goes first', async () => {
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    const payload = {
      question: 'Which base branch?',
      options: ['main', 'next'],
      context: 'Both exist.',
      partial_state: { step: 3, done: ['a'] },
    };
    runner.message(ask(JSON.stringify(payload)));
    await runner.next('tool_start');
    runner.message('[[text queued before]]');
    const asked = await runner.until('turn_complete');
    expect(first(asked, 'result')).toMatchObject({ success: true });
    const { timestamp: _, ...event } = first(asked, 'needs_input');
    expect(event).toEqual({
      type: 'needs_input',
      question: 'Which base branch?',
      options: ['main', 'next'],
      context: 'Both exist.',
      partialState: { step: 3, done: ['a'] },
    });

    runner.message('[[text answered]]');
    const order = [await runner.until('turn_complete'), await runner.until('turn_complete')];
    expect(order.map(textOf)).toEqual(['answered', 'queued before']);
    // It was cleared before the answer's turn, so it is no signal again.
    expect(order.flatMap((turn) => only(turn, 'needs_input'))).toEqual([]);
    expect(existsSync(sentinel())).toBe(false);
  });

  it('[event needs_input] left over from earlier is cleared and never a signal', {
    tags: ['full'],
  }, async () => {
    await mkdir(join(cwd, '.agora'));
    await writeFile(sentinel(), '{"question":"Old?"}');
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    const turn = await runner.turn('[[text Nothing to ask.]]');
    expect([only(turn, 'needs_input'), existsSync(sentinel())]).toEqual([[], false]);
  });

  it('[event needs_input] with an error says what is wrong, keeps the file aside and holds the queue', async () => {
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    for (const [content, error] of [
      ['{"question":', /JSON/],
      ['[]', /object/i],
      ['{"question":"  "}', /blank/],
      ['{}', /question/],
      ['{"question":"Q?","options":[1]}', /options/],
    ] as const) {
      const turn = await runner.turn(ask(content));
      const event = first(turn, 'needs_input');
      expect(event.question).toBeUndefined();
      expect(event.error).toMatch(error);
      expect(readdirSync(join(cwd, '.agora'))).toEqual(['needs_input.invalid.json']);
      expect(readFileSync(join(cwd, '.agora', 'needs_input.invalid.json'), 'utf8')).toBe(content);
    }
  });

  it('[event needs_input] of exactly 1 MiB of partial state counts, one byte more does not', {
    tags: ['full'],
  }, async () => {
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    const turn = await runner.turn(askingWith(1_048_576));
    expect(first(turn, 'needs_input')).toMatchObject({ question: 'Q?' });
    expect(first(turn, 'needs_input').partialState === 'x'.repeat(1_048_576 - 2)).toBe(true);

    const over = await runner.turn(askingWith(1_048_577));
    expect(first(over, 'needs_input').question).toBeUndefined();
    expect(first(over, 'needs_input').error).toMatch(/1 MiB/);
  });

  it('[event needs_input] that is a link, a pipe or a folder is refused without being followed or waited for', async () => {
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    await writeFile(join(stage.home, 'secret.json'), '{"question":"From outside?"}');
    for (const make of [
      `ln -s ${join(stage.home, 'secret.json')} .agora/needs_input.json`,
      'mkfifo .agora/needs_input.json',
      'mkdir -p .agora/needs_input.json/deep',
    ]) {
      const turn = await runner.turn(`${bash(`mkdir -p .agora; ${make}`)} [[next]] [[text I wait.]]`);
      const event = first(turn, 'needs_input');
      expect([make, event.question, typeof event.error]).toEqual([make, undefined, 'string']);
    }
    // Clearing what such a file pointed to would be as bad as reading it.
    await runner.turn('[[text next]]');
    expect(readFileSync(join(stage.home, 'secret.json'), 'utf8')).toContain('From outside?');
  });

  it('[event needs_input] in a folder that is a link is refused, and what is behind the link stays', {
    tags: ['full'],
  }, async () => {
    const elsewhere = join(stage.home, 'elsewhere');
    await mkdir(elsewhere, { recursive: true });
    await writeFile(join(elsewhere, 'needs_input.json'), '{"question":"From outside?"}');
    await symlink(elsewhere, join(cwd, '.agora'));
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    const turn = await runner.turn('[[text hm]]');
    expect(only(turn, 'needs_input').map(({ question }) => question)).toEqual([undefined]);
    expect(existsSync(join(elsewhere, 'needs_input.json'))).toBe(true);
  });

  it('[event needs_input] at the end of the input: the question is told, what was queued is not begun', {
    tags: ['full'],
  }, async () => {
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    runner.message(ask('{"question":"Which?"}'));
    runner.message('[[text queued]]');
    runner.closeInput();
    const { code, last } = await runner.end();
    expect(code).toBe(0);
    expect(only(last, 'needs_input')).toHaveLength(1);
    expect(only(last, 'result')).toHaveLength(1);
    expect(last.at(-1)?.type).toBe('complete');
  });

  it('does not show in git status', { tags: ['full'] }, async () => {
    execFileSync('git', ['init', '-q'], { cwd });
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    await runner.turn(ask('{"question":"Which?"}'));
    expect(execFileSync('git', ['status', '--porcelain'], { cwd, encoding: 'utf8' })).toBe('');
  });
});
