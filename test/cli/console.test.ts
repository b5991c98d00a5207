import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitUntil } from '../harness/wait-until.js';
import { type CliStage, openCliStage, pidBelow } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
  await cli.run('up', '-d');
});
afterAll(() => cli[Symbol.asyncDispose]());

const then = ' [[next]] [[text Over.]]';
const asks = `[[ask Which colour? | Red | Blue]]${then}`;
const touch = (name: string) => `[[tool Bash {"command":"touch ${name}"}]]${then}`;
const utf8 = { NO_COLOR: '1', LC_ALL: 'C.UTF-8' };
const open = 'Esc decides later';

/** Work in a folder of its own, whose question is open. */
async function asked(text: string): Promise<string> {
  const folder = join(cli.stage.workspace, `folder-${Math.random().toString(36).slice(2)}`);
  await mkdir(folder);
  const before = new Set((await openIds()).map(String));
  await cli.run('run', '-d', '--workspace', folder, text);
  let id = '';
  await waitUntil('the agent asks', async () => {
    id = (await openIds()).find((each) => !before.has(each)) ?? '';
    return id !== '';
  });
  return id;
}

async function openIds(): Promise<string[]> {
  return (await cli.run('inbox', '-q')).stdout
    .trim()
    .split('\n')
    .filter((id) => id !== '');
}

async function stateOf(id: string): Promise<unknown> {
  const { answers, state, decision } = (await cli.json('show', id)) as Record<string, unknown>;
  return { answers, state, decision };
}

it('answers a question and an approval, in a worker that dies meanwhile, and gives the terminal back', async () => {
  const question = await asked(asks);
  const terminal = cli.onTerminal(['console'], { columns: 100, rows: 30, env: utf8 });
  await terminal.saying('Needs you 1');
  terminal.type('\r');
  await terminal.saying(open);
  process.kill(cli.workerPid(), 'SIGKILL');
  await terminal.saying('The worker is gone; agents go on.');
  await waitUntil('a worker is there again', async () =>
    (await cli.run('inbox', '-q')).stdout.includes(question),
  );
  terminal.type('\u001B[B');
  await terminal.saying('› 2. Blue');
  terminal.type('\r');
  await terminal.saying('Answered: Blue');
  terminal.type('q');

  const { code, stdout } = await terminal.finished;
  expect(code).toBe(0);
  expect(stdout).toContain('\u001B[?1049h');
  expect(stdout.lastIndexOf('\u001B[?1049l')).toBeGreaterThan(stdout.lastIndexOf('\u001B[?1049h'));
  expect(stdout.lastIndexOf('\u001B[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001B[?25l'));
  expect(stdout).not.toContain('\u001B[3J');
  // oxlint-disable-next-line no-control-regex -- a colour begins with one
  expect(stdout).not.toMatch(/\u001B\[3[0-9]m/);
  await waitUntil('the answer counts', async () =>
    JSON.stringify(await stateOf(question)).includes('"answered"'),
  );
});

it('takes clicks once it was told to, and leaves the mouse to the terminal again', async () => {
  const question = await asked(asks);
  const terminal = cli.onTerminal(['console'], { columns: 100, rows: 30, env: utf8 });
  await terminal.saying('Needs you 1');
  // Nothing is taken that was not asked for.
  terminal.type('\u001B[<0;5;4M');
  // In one piece, as a slow line brings it: the keys come first.
  terminal.type('gm\u001B[<0;5;4M\u001B[<0;5;4m');
  await terminal.saying(question);
  await terminal.saying(open);
  terminal.type('\u0003');

  const { stdout } = await terminal.finished;
  const [on, off] = ['\u001B[?1000h', '\u001B[?1000l'].map((mode) => stdout.lastIndexOf(mode));
  expect(on).toBeGreaterThan(stdout.indexOf('Needs you 1'));
  expect(off).toBeGreaterThan(on ?? 0);
  await cli.run('answer', question, '1');
});

it.each([
  ['SIGINT', 130],
  ['SIGQUIT', 130],
  ['SIGTERM', 143],
] as const)('gives the terminal back on %s', async (signal, exitCode) => {
  const terminal = cli.onTerminal(['console', '--mouse'], { columns: 100, rows: 30, env: utf8 });
  await terminal.saying('\u001B[?1049h');
  process.kill(await pidBelow(terminal.process.pid), signal);

  const { code, stdout } = await terminal.finished;
  expect(code).toBe(exitCode);
  for (const [taken, given] of [
    ['\u001B[?1000h', '\u001B[?1000l'],
    ['\u001B[?1049h', '\u001B[?1049l'],
    ['\u001B[?2004h', '\u001B[?2004l'],
    ['\u001B[?25l', '\u001B[?25h'],
  ] as const) {
    expect(stdout).toContain(taken);
    expect(stdout.lastIndexOf(given)).toBeGreaterThan(stdout.lastIndexOf(taken));
  }
});

it('opens the editor, comes back, and shows the thread', { tags: ['full'] }, async () => {
  const editor = join(cli.stage.home, 'editor.sh');
  await writeFile(editor, '#!/bin/sh\nsed -i.bak s/made/edited/ "$1"\n', { mode: 0o755 });
  const id = await asked(touch('made'));
  const terminal = cli.onTerminal(['console'], { columns: 100, rows: 30, env: { ...utf8, EDITOR: editor } });
  await terminal.saying('Needs you 1');
  terminal.type('\r');
  await terminal.saying(open);
  terminal.type('e');
  await terminal.saying('Answered: Approve');
  terminal.type('o');
  await terminal.saying('Run touch edited');
  await terminal.saying('Over.');
  terminal.type('\u0003');

  expect((await terminal.finished).code).toBe(0);
  expect(await stateOf(id)).toMatchObject({
    decision: { approved: true, updatedInput: { command: 'touch edited' } },
  });
});

it('speaks in lines where nothing can be drawn', { tags: ['full'] }, async () => {
  const id = await asked(asks);
  const terminal = cli.onTerminal(['console'], { env: { TERM: 'dumb' } });
  await terminal.saying('Claude asks: Which colour? Type: answer');
  terminal.type('list\r');
  await terminal.saying('Needs you: 1');
  terminal.type('answer\r');
  await terminal.saying('[1-2 or text] > ');
  terminal.type('2\r');
  await terminal.saying('Answered: Blue');
  terminal.type('quit\r');

  const { code, stdout } = await terminal.finished;
  expect(code).toBe(0);
  expect(stdout).not.toContain('\u001B[?1049h');
  expect(await stateOf(id)).toMatchObject({ answers: [{ question: 'Which colour?', answer: ['Blue'] }] });
});

it('asks everything in the inbox of a terminal, and puts off what is to be decided later', {
  tags: ['full'],
}, async () => {
  const question = await asked(asks);
  const approval = await asked(touch('asked'));
  const terminal = cli.onTerminal(['inbox'], { env: utf8 });
  await terminal.saying('1 of 2: ');
  await terminal.saying(question);
  await terminal.saying(open);
  terminal.type('\u001B');
  await terminal.saying(approval);
  await terminal.saying('Claude asks to run: touch asked');
  await terminal.saying(open);
  terminal.type('n');
  await terminal.saying('1 still waits for you.');
  expect((await terminal.finished).code).toBe(0);

  const single = cli.onTerminal(['answer', question], { env: utf8 });
  await single.saying(open);
  process.kill(cli.workerPid(), 'SIGKILL');
  single.type('1');
  await single.saying('is asked again when a worker is there');
  await single.saying(open);
  await delay(700);
  single.type('1');
  await single.saying('✓ Answered: Red');
  expect((await single.finished).code).toBe(0);
});

it('answers from the log that is followed, and says who else did', { tags: ['full'] }, async () => {
  const first = await asked(asks);
  const [prompt] = (await cli.json('inbox')) as { threadId: string }[];
  const reading = cli.onTerminal(['logs', '-f', prompt?.threadId ?? ''], { env: utf8 });
  await reading.saying(first);
  await reading.saying(open);
  const other = cli.onTerminal(['answer', first], { env: utf8 });
  await other.saying(open);
  reading.type('2');
  await reading.saying('✓ Answered: Blue');
  await other.saying('✓ Answered: Blue, by owner');
  expect((await other.finished).code).toBe(0);
  await reading.saying('Over.');
  await delay(200);
  reading.process.kill('SIGINT');
});

it('says what it needs where there is no terminal', async () => {
  const { code, stderr } = await cli.run('console');
  expect([code, stderr]).toEqual([64, expect.stringContaining('console needs a terminal')]);
});
