import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
});
afterAll(() => cli[Symbol.asyncDispose]());

const asksOnce = new URL('../fixtures/exec/asks-once.sh', import.meta.url).pathname;

it('runs any command as an agent, and exits as its work did', async () => {
  const good = await cli.run('run', '--command', 'echo "doing:" {prompt}', 'it; $HOME');
  expect([good.code, good.stdout.split('\n')[0]]).toEqual([0, 'doing: it; $HOME']);

  const bad = await cli.run('run', '--retries', '0', '--command', 'sh -c "echo no >&2; exit 3"', 'it');
  expect(bad.code).toBe(1);
  expect(bad.stderr).toContain('The command ended with exit code 3: no');
});

it('asks by file, and goes on with an answer from another terminal', { tags: ['full'] }, async () => {
  const env = { QUESTION: '{"question":"Which port?","options":["80","8080"]}' };
  // The question travels in the worker's environment, so that worker is this command's own.
  await cli.run('down', '--stop-agents');
  const started = cli.start(['run', '--exit-on-question', '--command', asksOnce, 'Pick a port.'], { env });
  expect((await started.finished).code).toBe(2);
  const [prompt] = (await cli.json('inbox')) as { id: string; threadId: string }[];
  expect((await cli.run('answer', prompt?.id ?? '', '2')).code).toBe(0);
  const { dispatches } = (await cli.json('show', prompt?.threadId ?? '')) as { dispatches: { id: string }[] };
  expect((await cli.run('wait', dispatches[0]?.id ?? '')).code).toBe(0);
  const logs = await cli.run('logs', prompt?.threadId ?? '');
  expect(logs.stdout).toContain('"answer": "8080"');
});

it('takes the command from the user’s settings, and never from a project’s own', async () => {
  const folder = join(cli.stage.workspace, '.handraise');
  mkdirSync(folder);
  writeFileSync(join(folder, 'config.json'), '{"runtime":"exec","execCommand":"touch pwned"}');
  const set = await cli.run('config', 'set', 'execCommand', 'echo mine');
  expect(set.code).toBe(0);
  const { code, stdout, stderr } = await cli.run('run', '--runtime', 'exec', 'it');
  expect([code, stdout]).toEqual([0, 'mine\n']);
  expect(stderr).toContain('Ignored "execCommand" in ');
  expect(stderr).toContain('Ignored "runtime" in ');
});

it('refuses a command for a runtime that takes none', async () => {
  const { code, stderr } = await cli.run('run', '--runtime', 'claude', '--command', 'cat', 'it');
  expect([code, stderr]).toEqual([
    64,
    expect.stringContaining('--command works only with --runtime exec, not with claude.'),
  ]);
});

it('exits as a skill of the settings did, and as a command whose exit codes are read', {
  tags: ['full'],
}, async () => {
  expect((await cli.run('config', 'set', 'skills', '{"late":"sh -c \\"exit 75\\""}')).code).toBe(0);
  // The worker reads its settings when it starts.
  await cli.run('down', '--stop-agents');
  expect((await cli.run('run', '--skill', 'late', '--retries', '0', 'it')).code).toBe(75);
  const read = await cli.run('run', '--command', 'sh -c "exit 65"', '--exit-codes', 'it');
  expect(read.code).toBe(65);
  const missing = await cli.run('run', '--skill', 'nowhere', 'it');
  expect([missing.code, missing.stderr]).toEqual([66, expect.stringContaining('There is no skill nowhere')]);
});
