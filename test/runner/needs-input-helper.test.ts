import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { killProcess } from '../harness/kill-process.js';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, longCommand, tool } from './prompting.js';
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
  git(cwd, 'init', '-q');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const git = (at: string, ...args: string[]) => execFileSync('git', args, { cwd: at, encoding: 'utf8' });
const skill = (at = cwd) => join(at, '.claude/skills/agora-needs-input/SKILL.md');
const asking = '[[text Nothing to ask.]]';

describe('the lesson in asking by file', () => {
  it('is a skill that Claude Code knows, for the time of the run, and git does not see it', async () => {
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    const turn = await runner.turn(
      `${bash('mkdir -p .agora; echo x > .agora/note; git status --porcelain')} [[next]] [[text done]]`,
    );
    expect(first(turn, 'init').skills).toContain('agora-needs-input');
    expect(readFileSync(skill(), 'utf8')).toContain('.agora/needs_input.json');
    expect(first(turn, 'tool_end').summary).toBe('(Bash completed with no output)');
    expect(git(cwd, 'status', '--porcelain', '--untracked-files=all')).toBe('');
    runner.send({ type: 'stop' });
    await runner.end();
    expect(existsSync(join(cwd, '.claude'))).toBe(false);
  });

  it('is invisible in a worktree too, whose .git is a file', { tags: ['full'] }, async () => {
    git(cwd, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
    const tree = join(stage.home, `linked-${count}`);
    git(cwd, 'worktree', 'add', '-q', tree);
    await using runner = new Driver(stage, { args: ['--cwd', tree] });
    await runner.turn(asking);
    expect(existsSync(skill(tree))).toBe(true);
    expect(git(tree, 'status', '--porcelain', '--untracked-files=all')).toBe('');
    runner.send({ type: 'stop' });
    await runner.end();
    expect(existsSync(join(tree, '.claude'))).toBe(false);
  });

  it('goes when the runner is told to end in the middle of a turn', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    runner.message(longCommand());
    await runner.next('tool_start');
    runner.signal('SIGTERM');
    await runner.end();
    expect(readdirSync(cwd)).toEqual(['.git']);
  });

  it('that a killed runner left goes with the next run', { tags: ['full'] }, async () => {
    {
      await using runner = new Driver(stage, { args: ['--cwd', cwd] });
      await runner.turn(asking);
      runner.signal('SIGKILL');
      await runner.end();
    }
    expect([existsSync(skill()), git(cwd, 'status', '--porcelain', '-uall')]).toEqual([true, '']);
    await using next = new Driver(stage, { args: ['--cwd', cwd] });
    await next.turn(asking);
    next.send({ type: 'stop' });
    await next.end();
    expect(existsSync(join(cwd, '.claude'))).toBe(false);
  });

  it("is not put over a user's own, which stays", { tags: ['full'] }, async () => {
    await mkdir(dirname(skill()), { recursive: true });
    await writeFile(skill(), '---\nname: agora-needs-input\ndescription: Mine.\n---\nMine.\n');
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    await runner.turn(asking);
    runner.send({ type: 'stop' });
    await runner.end();
    expect(readFileSync(skill(), 'utf8')).toContain('Mine.');
  });

  it('is not there where it is switched off; the file counts all the same', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, {
      args: ['--cwd', cwd],
      env: { AGORA_DISABLE_NEEDS_INPUT_HELPER: 'true' },
    });
    const content = '{"question":"Which?"}';
    const file_path = join(cwd, '.agora/needs_input.json');
    const turn = await runner.turn(`${tool('Write', { file_path, content })} [[next]] [[text I wait.]]`);
    expect([existsSync(join(cwd, '.claude')), only(turn, 'needs_input')]).toMatchObject([
      false,
      [{ question: 'Which?' }],
    ]);
    expect(git(cwd, 'status', '--porcelain', '-uall')).toBe('');
  });
});

describe('a question that Claude Code left when it was killed', () => {
  it('is told before the end', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    const file_path = join(cwd, '.agora/needs_input.json');
    runner.message(
      `${tool('Write', { file_path, content: '{"question":"Which?"}' })} [[next]] ${longCommand()}`,
    );
    await runner.next('tool_start', ({ tool: name }) => name === 'Bash');
    const [agent] = await runner.processes('stream-json');
    killProcess(agent?.pid);
    const { last } = await runner.end();
    expect(only(last, 'needs_input')).toMatchObject([{ question: 'Which?' }]);
    expect(last.at(-1)).toMatchObject({ type: 'shutdown', reason: 'agent_exited' });
  });
});
