import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
const ids = { good: '', bad: '', slow: '' };

beforeAll(async () => {
  cli = await openCliStage();
  const queue = async (name: string, command: string, ...more: string[]) =>
    (
      await cli.run('run', '-d', '--retries', '0', '--name', name, '--command', command, ...more)
    ).stdout.trim();
  ids.good = await queue('good', 'echo the quincunx is mended', '--label', 'sprint=12', 'mend it');
  ids.bad = await queue('bad', 'sh -c "exit 3"', '--label', 'sprint=13', 'break it');
  ids.slow = await queue('slow', 'sleep 600', 'sleep');
});
afterAll(() => cli[Symbol.asyncDispose]());

it('names work wherever an id does, also by the end of an id, and never twice', async () => {
  expect(await cli.run('wait', 'GOOD')).toMatchObject({ code: 0 });
  expect(await cli.json('show', ids.good.slice(-8))).toMatchObject({ id: ids.good });
  const taken = await cli.run('run', '-d', '--name', 'Good', '--command', 'true', 'again');
  expect([taken.code, taken.stderr]).toEqual([
    65,
    expect.stringMatching(/The name good belongs to thr_\w+ \(mend it\)/),
  ]);
  expect((await cli.run('rename', 'good', 'better')).code).toBe(0);
  expect(await cli.json('show', 'better')).toMatchObject({ name: 'better', lastDispatch: { id: ids.good } });
  expect(await cli.run('show', 'good')).toMatchObject({
    code: 66,
    stderr: expect.stringContaining('none has this name'),
  });
  expect((await cli.run('rename', 'better', 'thr_x')).code).toBe(64);
  expect(await cli.json('rename', 'better', '--remove')).not.toHaveProperty('name');
});

it('waits for all of several, or for any, and says by its exit code how it went', {
  tags: ['full'],
}, async () => {
  const both = await cli.run('wait', ids.good, 'bad');
  expect([both.code, both.stdout]).toEqual([1, '']);
  expect(both.stderr).toContain(`${ids.good}  ✓ Succeeded`);
  expect(both.stderr).toContain(`${ids.bad}  ✗ Failed`);
  expect(await cli.run('wait', '--any', 'slow', ids.good, 'bad')).toMatchObject({
    code: 0,
    stdout: `${ids.good}\n`,
  });
  const late = await cli.run('wait', ids.good, 'slow', '--timeout', '0.1');
  expect([late.code, late.stderr]).toEqual([
    75,
    expect.stringContaining(`${ids.slow} has not ended and continues`),
  ]);
  expect((await cli.run('wait', '--any', '--all', 'bad')).code).toBe(64);
});

it('does to several what it does to one, and nothing where one of them is misspelt', {
  tags: ['full'],
}, async () => {
  expect((await cli.run('cancel', 'slow', 'slwo')).code).toBe(66);
  expect(await cli.json('show', ids.slow)).not.toMatchObject({ state: 'ended' });
  const some = await cli.run('cancel', 'bad', 'slow');
  expect([some.code, some.stdout]).toEqual([65, `${ids.bad}\n${ids.slow}\n`]);
  expect(await cli.run('wait', 'slow')).toMatchObject({ code: 130 });
  const shown = await cli.run('show', '--json', 'bad', ids.slow);
  expect(
    shown.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([expect.stringMatching(/^thr_/), ids.slow]);
});

it('lists by state, label, folder and runtime', { tags: ['full'] }, async () => {
  const titles = async (...filter: string[]) =>
    ((await cli.json('ls', ...filter)) as { title: string }[]).map(({ title }) => title);
  expect(await titles('--label', 'sprint')).toEqual(['break it', 'mend it']);
  expect(await titles('--label', 'sprint=12', '--runtime', 'exec', '-C', '.')).toEqual(['mend it']);
  expect(await titles('--state', 'failed')).toEqual(['break it']);
  expect(await titles('-C', '/')).toHaveLength(3);
  expect(await titles('--runtime', 'codex')).toEqual([]);
  expect(
    ((await cli.json('ls', '-D', '--state', 'cancelled')) as { id: string }[]).map(({ id }) => id),
  ).toEqual([ids.slow]);
  expect((await cli.run('ls', '-D', '--runtime', 'exec')).code).toBe(64);
});

it('finds threads by the words in them', async () => {
  const { stdout } = await cli.run('search', 'QUINC', 'mended');
  expect(stdout).toMatch(/^mend it\n {2}thr_\w+ .*\n {2}the quincunx is mended\n$/);
  expect(await cli.json('search', 'break')).toMatchObject({
    threads: [{ name: 'bad' }],
    matches: [{ seq: expect.any(Number), excerpt: expect.stringContaining('break it') }],
  });
  expect(await cli.run('search', 'quincunx" OR "x', '-q')).toMatchObject({ code: 1, stdout: '' });
  expect(await cli.run('search', '***')).toMatchObject({
    code: 65,
    stderr: expect.stringContaining('at least one letter'),
  });
});
