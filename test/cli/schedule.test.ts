import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { Schedule, ScheduleRun } from '../../src/protocol/schedule.js';
import { waitUntil } from '../harness/wait-until.js';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
  await cli.run('up', '-d');
});
afterAll(async () => await cli[Symbol.asyncDispose]());

const runs = async (name: string) =>
  z.array(ScheduleRun).parse(await cli.json('schedule', 'history', name, '--json'));

test('a schedule is added, shown, paused, run by hand with its outcome in the history, and removed', async () => {
  const added = await cli.run(
    'schedule',
    'add',
    'every weekday 7:00',
    '[[text Done.]]',
    '-C',
    cli.stage.workspace,
    '--name',
    'nightly',
    '--time-zone',
    'Europe/Berlin',
    '--unanswered',
    'wait',
    '--label',
    'team=core',
    '--jitter',
    '60',
    '--budget',
    '5',
  );
  expect(added).toMatchObject({ code: 0, stdout: 'nightly\n' });
  expect(added.stderr).toMatch(/nightly gives work next: .*07:0\d \(Europe\/Berlin\)/);
  const schedule = Schedule.parse(await cli.json('schedule', 'show', 'nightly', '--json'));
  expect(schedule).toMatchObject({
    cron: '0 7 * * 1-5',
    state: 'active',
    overlap: 'skip',
    missed: 'once',
    jitterSeconds: 60,
    unanswered: 'wait',
  });

  expect(await cli.run('schedule', 'pause', 'nightly')).toMatchObject({ code: 0 });
  expect((await cli.run('schedule', 'ls')).stdout).toContain('paused');
  const dispatch = (await cli.run('schedule', 'run', 'NIGHTLY')).stdout.trim();
  expect((await cli.run('wait', dispatch)).code).toBe(0);
  expect(await runs('nightly')).toMatchObject([
    {
      result: 'started',
      dispatchId: dispatch,
      state: 'ended',
      outcome: { result: 'succeeded' },
      actor: 'user:owner',
    },
  ]);
  expect((await cli.run('schedule', 'history', 'nightly')).stdout).toContain('succeeded');
  expect(await cli.json('ls', '-D', '--label', 'schedule=nightly', '--json')).toMatchObject([
    { id: dispatch, labels: { schedule: 'nightly', team: 'core' } },
  ]);
  expect(await cli.run('schedule', 'resume', 'nightly')).toMatchObject({ code: 0 });
  expect(await cli.run('schedule', 'rm', 'nightly')).toMatchObject({ code: 0, stdout: 'nightly\n' });
  expect(await cli.run('schedule', 'show', 'nightly')).toMatchObject({ code: 66 });
});

test('on a terminal it asks for what has to be decided, until it was told', async () => {
  const terminal = cli.onTerminal(
    ['schedule', 'add', 'every day at 9', '[[text Done.]]', '-C', cli.stage.workspace, '--name', 'asked'],
    { env: { NO_COLOR: '1' } },
  );
  await terminal.saying('What becomes of questions that nobody answers?');
  await terminal.saying('[1-3] ');
  terminal.type('7\r');
  await terminal.saying('Type a number from 1 to 3.');
  terminal.type('2\r');
  await terminal.saying('Budget: ');
  terminal.type('0\r');
  await terminal.saying('Type an amount greater than 0');
  terminal.type('2.50\r');
  expect(await terminal.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('asked\r\n') });
  const denied = { policy: 'deny', afterSeconds: 3600 };
  expect(Schedule.parse(await cli.json('schedule', 'show', 'asked', '--json'))).toMatchObject({
    unanswered: { text: denied, approval: denied, ask_user_question: denied },
    work: { budget: { usd: 2.5 } },
  });
  expect((await cli.run('schedule', 'show', 'asked')).stdout).toContain('budget      $2.50 each time\n');

  const left = cli.onTerminal(['schedule', 'add', 'every day at 9', 'x', '--no-input', '--name', 'left']);
  await left.saying('Budget: ');
  left.type('\u0003');
  expect(await left.finished).toMatchObject({ code: 130 });
  expect((await cli.run('schedule', 'ls')).stdout).not.toContain('left');
  await cli.run('schedule', 'rm', 'asked');
});

test.each([
  [['--repo', 'https://example.com/r.git', '-C', '.'], 64, '--repo and --workspace exclude each other'],
  [['--command', 'make', '--runtime', 'claude'], 64, '--command works only with --runtime exec'],
  [['-C', '/nowhere/at/all'], 66, 'does not exist'],
  [['--attach', '/nowhere/at/all'], 66, 'Cannot read the attachment'],
  [['--name', ' '], 65, 'name'],
])('on a terminal %j is refused before anything is asked', async (args, code, sentence) => {
  const { finished } = cli.onTerminal(['schedule', 'add', 'every hour', 'x', ...args]);
  const { code: exitCode, stdout } = await finished;
  expect(exitCode).toBe(code);
  expect(stdout).toContain(sentence);
  expect(stdout).not.toContain('What becomes of questions');
});

test.each([
  ['an impossible day', ['0 0 31 2 *', 'x', '--no-input'], 65, 'names a day that never comes'],
  [
    'no cron',
    ['61 * * * *', 'x', '--no-input'],
    65,
    'is not a cron expression: Invalid value for minute: 61.',
  ],
  ['no words', ['now and then', 'x', '--no-input'], 65, 'says no times that are understood'],
  [
    'an unknown zone',
    ['every hour', 'x', '--no-input', '--time-zone', 'Mars/Base'],
    65,
    'There is no time zone "Mars/Base"',
  ],
  ['blank work', ['every hour', '  ', '--no-input'], 65, 'the text of the work is blank'],
  ['no policy', ['every hour', 'x'], 64, 'Say what becomes of questions that nobody answers'],
  [
    'a folder that is missing',
    ['every hour', 'x', '--no-input', '-C', '/nowhere/at/all'],
    66,
    'does not exist',
  ],
  [
    'a landing without a worktree',
    ['every hour', 'x', '--no-input', '--on-success', 'merge'],
    64,
    '--on-success needs --worktree',
  ],
  [
    'a field of cron, which is pointed at',
    ['0 7 * * 1-5,mun', 'x', '--no-input'],
    65,
    '\n  0 7 * * 1-5,mun\n          ^^^^^^^\n',
  ],
])(
  '%s is refused with a sentence, and nothing is stored',
  { tags: ['full'] },
  async (_, args, code, sentence) => {
    const refused = await cli.run('schedule', 'add', ...args, '--no-budget');
    expect(refused).toMatchObject({ code });
    expect(refused.stderr).toContain(sentence);
    expect(await cli.json('schedule', 'ls', '--json')).toEqual([]);
  },
);

test.each([
  [[], 64, 'Say what each time may spend'],
  [['--budget', '0'], 65, 'The budget, line 1, column 1: "0" is no budget. It is an amount greater than 0'],
  [['--jitter', '99999'], 64, 'It must be at most 3600 seconds.'],
  [['--budget', '0 tokens'], 65, '"0 tokens" is no budget.'],
  [['--budget', '5', '--total-budget', 'plenty'], 65, '"plenty" is no budget.'],
  [['--budget', '5', '--runtime', 'codex'], 65, 'Give the budget in tokens'],
  [['--no-budget', '--total-budget', '5', '--runtime', 'codex'], 65, 'Give the budget in tokens'],
])(
  'a schedule with %j for a budget is refused with a sentence',
  { tags: ['full'] },
  async (args, code, sentence) => {
    const refused = await cli.run('schedule', 'add', 'every hour', 'x', '--no-input', ...args);
    expect(refused).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
    expect(await cli.json('schedule', 'ls', '--json')).toEqual([]);
  },
);

test('work is given when its time has come, once, though the worker is killed around it', {
  tags: ['full'],
}, async () => {
  await cli.run(
    'schedule',
    'add',
    'every minute',
    '[[text Done.]]',
    '-C',
    cli.stage.workspace,
    '--name',
    'minutely',
    '--unanswered',
    'wait',
    '--no-budget',
  );
  for (const milliseconds of [100, 1500]) {
    await sleep(60_000 - (Date.now() % 60_000) + milliseconds);
    process.kill(cli.workerPid(), 'SIGKILL');
    await cli.run('ls');
  }
  await waitUntil(
    'two times with their outcome',
    async () => (await runs('minutely')).filter(({ state }) => state === 'ended').length >= 2,
  );
  await cli.run('schedule', 'pause', 'minutely');
  const all = await runs('minutely');
  const ticks = all.map(({ tickAt }) => tickAt);
  expect(new Set(ticks).size).toBe(ticks.length);
  const given = z
    .array(z.object({ id: z.string(), actor: z.string() }))
    .parse(await cli.json('ls', '-D', '--label', 'schedule=minutely', '--json'));
  expect(given.map(({ actor }) => actor)).toEqual(given.map(() => 'schedule:minutely'));
  expect(new Set(given.map(({ id }) => id))).toEqual(
    new Set(all.flatMap(({ dispatchId }) => dispatchId ?? [])),
  );
});
