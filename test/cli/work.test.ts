import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitUntil } from '../harness/wait-until.js';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
});
afterAll(() => cli[Symbol.asyncDispose]());

const asks = '[[ask Which colour? | Red | Blue]] [[next]] [[text As you wish.]]';

it('says that no worker runs, and ends none twice', async () => {
  expect(await cli.run('ls')).toEqual({
    code: 69,
    stdout: '',
    stderr: 'handraise: No worker is running. Start one with: handraise up\n',
  });
  expect(await cli.run('down', '--json')).toEqual({
    code: 0,
    stdout: '{"wasRunning":false,"underWay":[]}\n',
    stderr: 'handraise: No worker is running.\n',
  });
});

it('runs work from nothing to an outcome', async () => {
  const { code, stdout, stderr } = await cli.run(
    'run',
    '--permissions',
    'autonomous',
    '[[tool Bash {"command":"echo hi"}]] [[next]] [[text I ran it.]]',
  );

  expect([code, stdout]).toEqual([0, 'I ran it.\n']);
  expect(stderr).toMatch(
    /^handraise: Starting a worker in the background\.\n✓ Run echo hi \d.*\n✓ Succeeded · [\d.]+ s · \$[\d.]+\nContinue with: handraise run --thread thr_\w{26} "TEXT"\n$/,
  );
});

it('prints events as JSON lines, and the dispatch last', async () => {
  const { code, stdout } = await cli.run('run', '--json', '[[text Hello.]]');
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

  expect(code).toBe(0);
  expect(lines.slice(0, -1).map(({ seq }) => seq)).toEqual(lines.slice(0, -1).map((_, index) => index + 1));
  expect(lines.filter(({ type }) => type === 'assistant_text')).toMatchObject([{ content: 'Hello.' }]);
  expect(lines.at(-2)).toMatchObject({ type: 'dispatch_ended', outcome: { result: 'succeeded' } });
  expect(lines.at(-1)).toMatchObject({ state: 'ended', outcome: { result: 'succeeded', exitCode: 0 } });
});

it('prints all that a tool said where it is asked for, with nothing that a terminal would obey', {
  tags: ['full'],
}, async () => {
  const command = "printf '\\033[31mred\\033[0m\\033]0;title\\007\\n'; seq 2000; echo last";
  const { stdout } = await cli.run(
    'run',
    '--json',
    '--permissions',
    'autonomous',
    `[[tool Bash ${JSON.stringify({ command })}]] [[next]] [[text Counted.]]`,
  );
  const { id } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');

  const short = await cli.run('logs', id);
  expect(short.stdout).not.toContain('\n2000\n');
  const { code, stdout: full } = await cli.run('logs', id, '--full-output');
  const numbers = Array.from({ length: 2000 }, (_, index) => `${index + 1}`).join('\n');
  expect(code).toBe(0);
  expect(full).toContain(`\nred\n${numbers}\nlast\nCounted.\n`);
  for (const control of ['\u001b', '\u0007']) expect(full).not.toContain(control);
});

it('takes its text from a pipe, and exits as verification says', async () => {
  const started = cli.start(['run', '-', '--verify', 'false', '--retries', '0', '--label', 'a=b'], {});
  expect((await started.finished).code).toBe(64);

  const { code, stderr } = await cli.run(
    'run',
    '--verify',
    'echo no; false',
    '--retries',
    '0',
    '[[text Done.]]',
  );
  expect(code).toBe(1);
  expect(stderr).toContain('✗ Verification failed: echo no; false\n  no\n✗ Failed · verification failed · ');
  expect(stderr).toContain('Try again: handraise retry dsp_');
});

it('lists, shows and logs what was done, by the beginning of an id', async () => {
  const threads = (await cli.json('ls')) as { id: string }[];
  const [newest] = threads;
  const table = (await cli.run('ls')).stdout.trimEnd().split('\n');
  expect(table[0]).toMatch(/^THREAD +STATUS +RUNTIME +AGE +COST +TITLE +WHY$/);
  expect(table).toHaveLength(threads.length + 1);

  const short = table[1]?.split(' ')[0] ?? '';
  expect(newest?.id.startsWith(short)).toBe(true);
  expect(await cli.json('show', short)).toMatchObject({ id: newest?.id, openPrompts: [] });
  expect((await cli.run('logs', short)).stdout).toContain('› [[text Done.]] owner\nDone.\n');
  expect((await cli.run('logs', short, '--json', '--tail', '1')).stdout.trimEnd().split('\n')).toHaveLength(
    1,
  );

  const dispatches = (await cli.json('ls', '--dispatches')) as { id: string }[];
  expect((await cli.run('show', dispatches[0]?.id ?? '')).stdout).toMatch(
    /outcome +the agent finished · the agent reports success · verification failed\n/,
  );
  expect((await cli.run('wait', short)).code).toBe(1);
  expect((await cli.run('ls', '-q', '-n', '1')).stdout).toBe(`${newest?.id}\n`);
});

it('says why work failed wherever it tells how work ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'no-git-'));
  const why = `${folder} has no git repository to create a worktree from`;
  const { code, stderr } = await cli.run('run', '-C', folder, '--worktree', '[[text Never.]]');
  expect([code, stderr]).toEqual([65, expect.stringContaining(`✗ Failed · ${why}`)]);

  const [failed] = (await cli.json('ls', '--dispatches', '-n', '1')) as { id: string; threadId: string }[];
  const { id, threadId } = failed ?? { id: '', threadId: '' };
  expect(await cli.run('wait', id)).toMatchObject({ code: 65, stderr: expect.stringContaining(why) });
  for (const args of [['logs', id], ['show', id], ['show', threadId], ['ls'], ['ls', '--dispatches']])
    expect([args, (await cli.run(...args)).stdout]).toEqual([args, expect.stringContaining(why)]);
  expect(await cli.json('show', threadId)).toMatchObject({
    lastDispatch: { result: 'failed', why: expect.stringContaining(why) },
  });
  await rm(folder, { recursive: true });
});

it('cancels nothing that has ended, and says so', async () => {
  const [ended] = (await cli.json('ls', '--dispatches', '--state', 'ended')) as { id: string }[];
  expect(await cli.run('cancel', ended?.id ?? '')).toEqual({
    code: 65,
    stdout: `${ended?.id}\n`,
    stderr: `handraise: Nothing was cancelled: ${ended?.id} had ended already (failed).\n`,
  });
});

it('lists the candidates of a beginning that is not unique', async () => {
  const { code, stderr } = await cli.run('show', 'thr_0');
  expect([code, stderr]).toEqual([
    65,
    expect.stringMatching(
      /^handraise: \d+ ids start with "thr_0"\. Type more of the one you mean:\n {2}thr_\w+ {2}\S/,
    ),
  ]);
  expect(await cli.run('show', 'thr_zzz')).toMatchObject({ code: 66 });
});

it('leaves a question to the inbox where nobody is at a terminal', { tags: ['full'] }, async () => {
  const { process: running, finished, saying } = cli.start(['run', asks]);
  await saying('Answer it with: handraise answer prm_');
  expect(running.exitCode).toBeNull();
  const [prompt] = (await cli.json('inbox')) as { id: string; threadId: string }[];
  const inbox = (await cli.run('inbox')).stdout;
  expect(inbox).toContain('Claude asks: Which colour?\n              1. Red\n              2. Blue\n');
  expect(inbox).toMatch(/answer +handraise answer prm_\w+ NUMBER or TEXT\n/);
  expect((await cli.run('status', prompt?.threadId ?? '')).stdout).toContain('? Question: ');

  expect(await cli.run('send', prompt?.threadId ?? '', 'and', 'more')).toMatchObject({
    code: 65,
    stderr: expect.stringContaining(`handraise answer ${prompt?.id} NUMBER or TEXT`),
  });
  expect((await cli.run('wait', prompt?.threadId ?? '', '--timeout', '0.1')).code).toBe(75);
  expect((await cli.run('answer', prompt?.id ?? '', '2')).stderr).toContain('✓ Answered: Blue');
  const ended = await finished;
  expect([ended.code, ended.stdout]).toEqual([0, 'As you wish.\n']);
  expect(ended.stderr).toContain('✓ Answered: Blue · by owner\n');
  expect(await cli.run('answer', prompt?.id ?? '', '1')).toMatchObject({ code: 65 });
  expect((await cli.run('status', prompt?.threadId ?? '', '--explain')).stdout).toMatch(
    /\? Question +the agent asks/,
  );
});

it('exits 2 on a question where that was asked for', { tags: ['full'] }, async () => {
  const left = await cli.run('run', '--exit-on-question', asks);
  expect(left.code).toBe(2);
  const [waiting] = (await cli.json('ls', '--dispatches', '--state', 'waiting')) as { id: string }[];
  expect(await cli.json('cancel', waiting?.id ?? '')).toMatchObject({ id: waiting?.id });
  expect((await cli.run('wait', waiting?.id ?? '')).code).toBe(130);

  const refused = await cli.run('run', '--no-input', asks);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('■ Blocked · the agent needs input'),
  ]);
  expect(refused.stderr).not.toContain('Answer it with');
});

it('cancels the work of a thread that waits, and not the message behind it', { tags: ['full'] }, async () => {
  const left = await cli.run('run', '--exit-on-question', asks);
  expect(left.code).toBe(2);
  const [waiting] = (await cli.json('ls', '--dispatches', '--state', 'waiting')) as {
    id: string;
    threadId: string;
  }[];
  const { id, threadId } = waiting ?? { id: '', threadId: '' };
  const behind = (await cli.run('run', '-d', '--thread', threadId, '[[text Next.]]')).stdout.trim();
  expect((await cli.run('cancel', threadId)).stdout).toBe(`${id}\n`);
  expect((await cli.run('wait', id)).code).toBe(130);
  expect((await cli.run('wait', behind)).code).toBe(0);
});

it('approves and denies', { tags: ['full'] }, async () => {
  const touch = '[[tool Bash {"command":"touch made"}]] [[next]] [[text Over.]]';
  const denied = cli.start(['run', touch]);
  await denied.saying('or   handraise deny prm_');
  await cli.run('deny', await firstPrompt(), '-m', 'not now');
  expect((await denied.finished).stderr).toMatch(/✗ Run touch made [\d.]+ s .*not now/);

  const approved = cli.start(['run', touch]);
  await approved.saying('Answer it with: handraise approve prm_');
  expect((await cli.run('approve', await firstPrompt())).stderr).toContain('✓ Answered: Approve');
  expect((await approved.finished).stderr).toContain('✓ Run touch made');
});

it('cancels on SIGINT and detaches on SIGTERM where nobody is at a terminal', {
  tags: ['full'],
}, async () => {
  const cancelled = cli.start(['run', asks]);
  await cancelled.saying('Answer it with');
  cancelled.process.kill('SIGINT');
  expect(await cancelled.finished).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('- Cancelled'),
  });

  const left = cli.start(['run', asks]);
  await left.saying('Answer it with');
  left.process.kill('SIGTERM');
  expect(await left.finished).toMatchObject({
    code: 143,
    stderr: expect.stringContaining('Detached. The agent keeps working.'),
  });
  await cli.run('answer', await firstPrompt(), 'Red');
  const [thread] = (await cli.json('ls', '-n', '1')) as { id: string }[];
  expect((await cli.run('wait', thread?.id ?? '')).code).toBe(0);
});

it('goes on in a thread, queues work, and does it again', { tags: ['full'] }, async () => {
  const [thread] = (await cli.json('ls', '-n', '1')) as { id: string }[];
  const again = await cli.run('run', '--thread', thread?.id ?? '', '[[text Once more.]]');
  expect([again.code, again.stdout]).toEqual([0, 'Once more.\n']);

  // What a user wants of new threads is not said to one that has its own; what is typed is refused by name.
  const env = { HANDRAISE_PERMISSION_MODE: 'acceptEdits', HANDRAISE_MODEL: 'opus' };
  const inThread = cli.start(['run', '--thread', thread?.id ?? '', '[[text And more.]]'], { env });
  expect(await inThread.finished).toMatchObject({ code: 0, stdout: 'And more.\n' });
  const typed = await cli.run('run', '--thread', thread?.id ?? '', '--model', 'opus', '[[text No.]]');
  expect([typed.code, typed.stderr]).toEqual([65, expect.stringContaining('keeps what it was made with')]);

  const queued = (await cli.run('run', '-d', '[[text Queued.]]')).stdout.trim();
  expect((await cli.run('wait', queued)).code).toBe(0);
  const retried = (await cli.run('retry', queued)).stdout.trim();
  expect((await cli.run('wait', retried)).code).toBe(0);
  expect(await cli.json('show', retried)).toMatchObject({ retryOf: queued });

  const sent = (await cli.run('send', thread?.id ?? '', '[[text', 'Sent.]]')).stdout.trim();
  expect((await cli.run('logs', '-f', sent)).stdout).toContain('Sent.\n✓ Succeeded');
});

it('follows work over a restart of the worker, which ends no agent', { tags: ['full'] }, async () => {
  const followed = cli.start(['run', asks]);
  await followed.saying('Answer it with');
  const waiting = cli.start(['wait', ((await cli.json('ls', '-n', '1')) as { id: string }[])[0]?.id ?? '']);
  await waiting.saying('Waiting for dsp_');
  const before = cli.workerPid();
  process.kill(before, 'SIGKILL');
  await followed.saying('! The worker is gone; the agent keeps working.');
  await followed.saying('- Starting a worker in the background.');
  await followed.saying('- The worker is back.');
  expect(cli.workerPid()).not.toBe(before);
  expect(await cli.run('up')).toMatchObject({ code: 75 });
  await cli.run('answer', await firstPrompt(), '1');
  expect(await followed.finished).toMatchObject({ code: 0, stdout: 'As you wish.\n' });
  expect((await waiting.finished).code).toBe(0);

  const left = cli.start(['run', asks]);
  await left.saying('Answer it with');
  const down = await cli.run('down');
  expect(down).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Agents keep running: 1 waiting for an answer'),
  });
  await left.saying('! The worker is gone');
  // Whoever stopped it meant it: nobody starts it again.
  expect(await cli.json('up', '-d')).toMatchObject({ isNew: true });
  await cli.run('answer', await firstPrompt(), 'Red');
  expect((await left.finished).code).toBe(0);
});

async function firstPrompt(): Promise<string> {
  let found: string[] = [];
  await waitUntil('somebody asks', async () => {
    found = (await cli.run('inbox', '-q')).stdout.trim().split('\n');
    return found[0] !== '';
  });
  return String(found[0]);
}
