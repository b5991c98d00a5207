import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { waitUntil } from '../harness/wait-until.js';
import { Driver, type DriverOptions } from './driver.js';
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

const untaught = { AGORA_DISABLE_NEEDS_INPUT_HELPER: 'true' };

/** A runner whose agent is a command; as `sh -c {prompt}` its messages are scripts. */
function open(command = 'sh -c {prompt}', { args = [], env = untaught }: DriverOptions = {}): Driver {
  return new Driver(stage, { args: ['--runtime', 'exec', '--command', command, '--cwd', cwd, ...args], env });
}

describe('a command as an agent', () => {
  it('[arg --exit-codes] tells what the command claims with its exit code, and only with it', async () => {
    for (const [args, claimed] of [
      [['--exit-codes'], 65],
      [[], undefined],
    ] as const) {
      await using runner = open('sh -c "exit 65"', { args: [...args] });
      const result = first(await runner.turn('x'), 'result');
      expect([result.success, result.claimedExitCode]).toEqual([false, claimed]);
    }
  });

  it('[arg --observable-idle] is guessed at from what it prints, and the guess is said to be weak', async () => {
    await using runner = open('sh -c {prompt}', { args: ['--observable-idle', '1'] });
    runner.message('echo begun; while [ ! -e go ]; do sleep 0.1; done');
    const seen = await runner.until('status_evidence', ({ fact }) => fact === 'said_idle');
    const guesses = only(seen, 'status_evidence').filter(({ source }) => source === 'exec.output');
    expect(guesses.map(({ fact, confidence }) => [fact, confidence])).toEqual([
      ['said_busy', 'weak'],
      ['said_idle', 'weak'],
    ]);
    await writeFile(join(cwd, 'go'), '');
    expect(first(await runner.until('turn_complete'), 'result').success).toBe(true);
  });

  it('[arg --command] has a process for each turn, whose output is the text and whose exit is the result', async () => {
    await using runner = open();
    const turn = await runner.turn('echo "one $$"; echo; echo two; echo aside >&2', {
      uuid: '8d3b6a34-51a1-4b1b-8f3c-0f7a2f6f0001',
    });
    const again = await runner.turn('echo "one $$"');
    expect(textOf(turn)).toMatch(/^one \d+\n\ntwo\n$/);
    expect(textOf(again).trim()).not.toBe(textOf(turn).split('\n')[0]);
    const { timestamp: _, durationMs, stats, ...result } = first(turn, 'result');
    expect(result).toEqual({
      type: 'result',
      success: true,
      subtype: 'success',
      text: textOf(turn).trim(),
      cost: null,
      turns: 1,
      usage: null,
      origin: 'message',
      messageUuid: '8d3b6a34-51a1-4b1b-8f3c-0f7a2f6f0001',
    });
    expect([durationMs, stats.toolCalls]).toEqual([expect.any(Number), 0]);
    expect(first(turn, 'agent_exited')).toMatchObject({ exitCode: 0, signal: null, oom: false });
    expect(runner.stderr).toContain('aside');
    runner.send({ type: 'stop' });
    const { code, last } = await runner.end();
    expect([code, last.at(-1)?.type]).toEqual([0, 'complete']);
  });

  it('gets its prompt whole: in an argument, on stdin, and on stdin where it is too long for an argument', async () => {
    const hostile = `it's "quoted" $(touch pwned) \`x\` {model} $& \\ ; é\n{prompt}`;
    const print = `node -e "fs.writeFileSync('got', [process.argv[1], fs.readFileSync(0)].join('|'))" --`;
    for (const [command, content, got] of [
      [`${print} {prompt}`, hostile, `${hostile}|`],
      [`${print} "--text={prompt}"`, 'in a word', '--text=in a word|'],
      [print, hostile, `|${hostile}`],
      [
        `${print} {prompt}`,
        'x'.repeat(2_000_000),
        `What to do is on standard input, because it is long: read all of it.|${'x'.repeat(2_000_000)}`,
      ],
    ] as const) {
      await using runner = open(command);
      expect(first(await runner.turn(content), 'result').success).toBe(true);
      expect(readFileSync(join(cwd, 'got'), 'utf8') === got).toBe(true);
    }
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });

  it('is told its instructions, its files and how to ask, unless that is switched off', async () => {
    const file = join(stage.home, 'instructions.md');
    await writeFile(file, 'Be brief.');
    await using runner = open('cat', { args: ['--instructions-file', file], env: {} });
    const attachments = [{ type: 'file', path: 'a.txt', content: 'A' }];
    const said = textOf(await runner.turn('Do it.', { attachments }));
    const taught = said.indexOf('If you cannot go on without an answer');
    expect(said.slice(0, taught)).toBe(
      'Be brief.\n\n<attached_file path="a.txt" lines="1">\nA\n</attached_file>\n\nDo it.\n\n',
    );
    expect(said.slice(taught)).toContain('.agora/needs_input.json');

    await using quiet = open('cat');
    expect(textOf(await quiet.turn('Do it.'))).toBe('Do it.');
  });

  it('is told where its question goes, and nothing of what is ours', async () => {
    await using runner = open('env', { env: { ...untaught, HANDRAISE_HOME: stage.home, MINE: '1' } });
    const names = textOf(await runner.turn('x'))
      .split('\n')
      .filter((line) => line.startsWith('HANDRAISE_') || line.startsWith('MINE'))
      .map((line) => line.split('=')[0]);
    expect(new Set(names)).toEqual(new Set(['HANDRAISE_NEEDS_INPUT_FILE', 'HANDRAISE_RUN', 'MINE']));
  });

  it('that ends with another exit code has failed its turn and takes the next', async () => {
    await using runner = open();
    const turn = await runner.turn('echo half; echo why >&2; exit 3');
    const { success, errors, text, output } = first(turn, 'result');
    expect(first(turn, 'error').message).toBe('The command ended with exit code 3: why');
    expect({ success, errors, text, output }).toEqual({
      success: false,
      errors: ['The command ended with exit code 3: why'],
      text: undefined,
      output: 'half',
    });
    expect(first(await runner.turn('echo fine'), 'result').success).toBe(true);
  });

  it('that a signal kills has died, and so has the conversation', async () => {
    await using runner = open();
    runner.message('echo last words; kill -SEGV $$');
    const { code, last } = await runner.end();
    expect(code).toBe(1);
    expect(textOf(last)).toBe('last words\n');
    expect(first(last, 'agent_exited')).toMatchObject({ exitCode: null, signal: 'SIGSEGV', oom: false });
    expect(first(last, 'error').message).toBe('The exec process was killed by SIGSEGV.');
    expect(last.at(-1)).toMatchObject({ type: 'shutdown', reason: 'agent_exited' });
  });

  it('that a signal kills may have left a question, good or bad, and it is told', async () => {
    for (const [file, told] of [
      ['{"question":"Which?"}', { question: 'Which?' }],
      ['{', { error: 'The needs-input file is not valid: it is not valid JSON.' }],
    ] as const) {
      await using runner = open();
      runner.message(`mkdir -p .agora; printf %s '${file}' > .agora/needs_input.json; kill -9 $$`);
      const { last } = await runner.end();
      expect(only(last, 'needs_input')).toMatchObject([told]);
      expect(last.at(-1)).toMatchObject({ type: 'shutdown', reason: 'agent_exited' });
    }
  });

  it('is interrupted with everything that it started, and stays usable', { tags: ['full'] }, async () => {
    await using runner = open();
    runner.message('trap "" TERM INT; setsid sleep 3601 & sleep 3602 & touch begun; wait; sleep 3603');
    // A child is a copy of the shell until it has become the command.
    await waitUntil('both commands run', async () => {
      const commands = (await runner.processes('sleep 360')).map(({ command }) => command);
      return ['sleep 3601', 'sleep 3602'].every((each) => commands.includes(each));
    });
    runner.send({ type: 'interrupt' });
    const turn = await runner.until('turn_complete');
    expect(only(turn, 'interrupted')).toHaveLength(1);
    expect(first(turn, 'result')).toMatchObject({ success: false, errorKind: 'interrupted' });
    expect(await runner.processes('sleep 360')).toEqual([]);
    expect(textOf(await runner.turn('echo next'))).toBe('next\n');
  });

  it('leaves nothing running when its turn ends, and nobody who holds its output holds the turn', async () => {
    await using runner = open();
    await runner.turn('setsid sleep 3604 & (sleep 3605 &) ; echo done');
    expect(await runner.processes('sleep 360')).toEqual([]);
    // One that took off its mark and its family name is not found, and not waited for.
    const turn = await runner.turn('env -i setsid setsid -f sleep 2 & sleep 0.2; echo done');
    expect(textOf(turn)).toBe('done\n');
  });

  it('that prints without end is read without end, and what counts of it is bounded', async () => {
    await using runner = open();
    const turn = await runner.turn(
      'node -e "for (let i = 0; i < 100; i++) console.log(\'x\'.repeat(99_999))"',
    );
    expect(textOf(turn).length).toBe(4 * 2 ** 20);
    expect(only(turn, 'warning').map(({ message }) => message)).toEqual([
      'The command printed more than 4194304 characters.',
    ]);
    expect(first(turn, 'result').success).toBe(true);
  });

  it('ends with its runner, however that ends', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await using runner = open();
      runner.message(`touch begun-${signal}; sleep 3606 & sleep 3607; true`);
      await waitUntil('the command has begun', () => existsSync(join(cwd, `begun-${signal}`)));
      runner.signal(signal);
      const { code, last } = await runner.end();
      if (signal === 'SIGTERM') {
        expect(code).toBe(0);
        expect(last.at(-1)).toMatchObject({ type: 'shutdown', reason: 'SIGTERM' });
      }
    }
  });
});

describe('a launch that cannot work is refused before anything starts', () => {
  it.each([
    [[], 64, 'The runtime exec needs a command: --command "my-agent {prompt}".'],
    [['--command', 'sh -c "x'], 64, 'a quote is not closed'],
    [['--command', 'no-such-agent {prompt}'], 69, 'no-such-agent was not found'],
    [['--command', 'cat', '--permission-mode', 'plan'], 65, 'cannot do this: the permission mode plan'],
    [['--command', 'cat', '--tool-preset', 'read-only'], 65, 'cannot do this: the tool preset read-only'],
    [
      ['--command', 'cat', '--model', 'm'],
      65,
      'cannot enforce a model unless its command contains {model}; the command must',
    ],
    [['--command', 'cat', '--resume', 'abc'], 65, 'cannot do this: resume a session'],
    [['--command', 'cat', '--enable-checkpointing'], 65, 'cannot do this: checkpoints'],
    [['--command', 'cat', '--max-turns', '3'], 65, 'cannot do this: maxTurns'],
    [['--command', 'cat', '--structured-output', '{}'], 65, 'cannot do this: structured output'],
  ])('%j', async (args, code, sentence) => {
    await using runner = new Driver(stage, { args: ['--runtime', 'exec', '--cwd', cwd, ...args] });
    const end = await runner.end();
    expect([end.code, end.last]).toEqual([code, []]);
    expect(runner.stderr).toContain(sentence);
  });

  it('but a command of the workspace is looked for there, when it starts', async () => {
    await using runner = open('./agent.sh');
    runner.message('x');
    const { code, last } = await runner.end();
    expect(code).toBe(69);
    expect(first(last, 'error').message).toBe(
      'The exec process could not be started: ./agent.sh was not found',
    );
  });

  it('with a model where the command has a place for it', async () => {
    await using runner = open('echo {model}', { args: ['--model', 'small'] });
    expect(textOf(await runner.turn('x'))).toBe('small\n');
  });
});
