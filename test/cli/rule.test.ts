// @module-tag full
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../harness/wait-until.js';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
  await cli.run('config', 'set', 'undoSeconds', '0');
  await cli.run('up', '-d');
});
afterAll(() => cli[Symbol.asyncDispose]());

const asks = '[[ask Which colour? | Red | Blue]] [[next]] [[text Over.]]';
const touch = '[[tool Bash {"command":"touch made"}]] [[next]] [[text Over.]]';

/** Gives work in a folder, and waits until it asks. */
async function asked(folder: string, text: string): Promise<{ prompt: string; thread: string }> {
  const path = join(cli.stage.home, folder);
  await mkdir(path, { recursive: true });
  const before = await openIds();
  const { threadId } = (await cli.json('run', '-d', '-C', path, text)) as { threadId: string };
  const [prompt = ''] = await eventually(
    'the agent asks',
    async () => (await openIds()).filter((id) => !before.includes(id)),
    (ids) => ids.length > 0,
  );
  return { prompt, thread: threadId };
}

async function openIds(): Promise<string[]> {
  return (await cli.run('inbox', '-q')).stdout.split('\n').filter((id) => id !== '');
}

it('gives the same answer as before, and says which; to something new it does not', async () => {
  const first = await asked('same', asks);
  expect(await cli.run('answer', first.prompt, '--same')).toMatchObject({
    code: 66,
    stderr: expect.stringContaining('Nobody has answered the same'),
  });
  expect((await cli.run('answer', first.prompt, '2')).code).toBe(0);
  const again = await asked('same', asks);
  expect((await cli.run('inbox', '--list')).stdout).toContain('--same');
  const { code, stderr } = await cli.run('answer', again.prompt, '--same');
  expect([code, stderr]).toEqual([0, expect.stringContaining('As before: ')]);
  expect(stderr).toContain('the same: Blue');
});

it('takes the same answer with one key, on a terminal', async () => {
  const first = await asked('key', asks);
  await cli.run('answer', first.prompt, '1');
  const again = await asked('key', asks);
  const terminal = cli.onTerminal(['answer', again.prompt], { rows: 40 });
  await terminal.saying('before: ');
  await terminal.saying('Esc decides later');
  terminal.type('=');
  await terminal.saying('Answered: Red');
  await terminal.finished;
});

it('makes a rule from an answer, which answers once it is on and until it is withdrawn', async () => {
  const first = await asked('ruled', touch);
  expect(await cli.run('rule', 'add', 'touch-made', first.prompt)).toMatchObject({
    code: 65,
    stderr: expect.stringContaining('has no answer of a person'),
  });
  await cli.run('approve', first.prompt);
  expect((await cli.run('rule', 'add', 'Touch', first.prompt)).code).not.toBe(0);
  expect(await cli.run('rule', 'add', 'touch-made', first.prompt, '--reach', 'kind')).toMatchObject({
    code: 65,
    stderr: expect.stringContaining('A rule about a command has no reach'),
  });
  const added = (await cli.json('rule', 'add', 'touch-made', first.prompt)) as { id: string };
  expect(added).toMatchObject({ name: 'touch-made', version: 1, state: 'tested', backtest: { agreed: 1 } });
  expect((await cli.run('rule')).stdout).toMatch(/touch-made@1 +not on yet +0 +In .* touch made/);
  expect((await cli.run('rule', 'show', 'touch-made')).stdout).toContain(
    'it would have given 1 the same, 0 differently',
  );
  expect(await cli.json('rule', 'on', 'touch-made')).toMatchObject({ state: 'on' });

  const ruled = await cli.run('run', '-C', join(cli.stage.home, 'ruled'), touch);
  expect(ruled.code).toBe(0);
  expect(await cli.json('rule', 'show', 'touch-made@1')).toMatchObject({ used: 1 });
  expect(await openIds()).toEqual([]);

  expect(await cli.json('rule', 'withdraw', added.id)).toMatchObject({ state: 'withdrawn' });
  expect((await cli.run('rule', 'on', 'touch-made')).code).not.toBe(0);
  expect((await cli.run('rule', 'show', 'nothing')).code).toBe(66);
  const { prompt } = await asked('ruled', touch);
  await cli.run('deny', prompt);
});

it('snoozes the thread of a question until a time, and takes it back', async () => {
  const { prompt, thread } = await asked('snoozed', asks);
  expect(await cli.json('snooze', prompt, '--for', '4h')).toMatchObject({
    id: thread,
    snoozed: { until: expect.any(String), hadFailed: false },
  });
  // It can still be answered, so lists for scripts have it.
  expect(await openIds()).toContain(prompt);
  expect((await cli.run('snooze', thread, '--until', 'tomorrow')).stdout).toMatch(/is snoozed until /);
  expect((await cli.run('snooze', thread, '--undo')).stdout).toBe(`${thread} is not snoozed\n`);
  expect(await cli.json('show', thread)).not.toHaveProperty('snoozed');
  for (const [args, words] of [
    [['--for', 'ever'], '--for ever: say 30m, 4h, 3d or 1w'],
    [['--until', '2001-01-01'], 'a time that comes within a year'],
    [['--for', '1h', '--undo'], 'Give one of --for, --until and --undo.'],
  ] as const)
    expect(await cli.run('snooze', thread, ...args)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(words),
    });
  await cli.run('answer', prompt, '1');
});

it('prints a login link as a QR code beside it, and nothing else where a script reads', async () => {
  const { code, stdout, stderr } = await cli.run('token', 'link', '--qr');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/\S+\n$/)]);
  const rows = stderr.split('\n').filter((line) => /[█▀▄]/.test(line));
  expect(rows.length).toBeGreaterThan(10);
  expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
});
