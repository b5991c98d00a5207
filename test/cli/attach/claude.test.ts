import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killProcess } from '../../harness/kill-process.js';
import { waitUntil } from '../../harness/wait-until.js';
import { expectAdopted } from './adopted.js';
import { TerminalStage } from './terminal-stage.js';

const opened = { type: 'terminal_opened', actor: 'user:owner', sessionId: expect.any(String) };
const closed = { type: 'terminal_closed', actor: 'user:owner', sessionId: expect.any(String), isCut: false };

test('a thread is opened in Claude Code and taken back with what was said, and its next work knows all of it once', async () => {
  await using stage = await TerminalStage.open();
  const { cli } = stage;
  await cli.run('run', '[[text Said by the worker.]]');
  const terminal = await stage.attach();
  const text = '[[tool Bash {"command":"echo hi"}]] [[next]] [[text Said in the terminal.]]';
  await stage.say(terminal, text);

  expect(await cli.run('archive', 'last')).toMatchObject({
    code: 65,
    stderr: expect.stringContaining('has been open in a terminal of owner since'),
  });
  await cli.run('send', 'last', '[[text Said after it.]]');
  await waitUntil('the work says why it waits', async () => {
    const [newest] = (await stage.show()).dispatches;
    return newest?.why === 'the thread is open in a terminal of owner';
  });

  terminal.type('/exit\r');
  expect(await terminal.finished).toMatchObject({ code: 0 });
  expect(await stage.said()).toEqual([
    opened,
    { type: 'terminal_message', uuid: expect.any(String), text, actor: 'user:owner' },
    {
      type: 'terminal_tool',
      id: expect.any(String),
      tool: 'Bash',
      params: { command: 'echo hi' },
      success: true,
      summary: 'hi',
    },
    { type: 'terminal_text', content: 'Said in the terminal.' },
    { ...closed, messages: 1 },
  ]);
  await waitUntil('the work that waited has ended', async () => {
    const [newest] = (await stage.show()).dispatches;
    return newest?.state === 'ended';
  });
  // Each stands in what was typed, and in what the model replied.
  const last = stage.lastHeard();
  for (const words of ['Said by the worker.', 'Said in the terminal.'])
    expect(last.split(words).length - 1, words).toBe(2);
  expect(last.split('Said after it.').length - 1).toBe(1);
});

test('a program that is killed is noticed, and what was said before is taken over once', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open();
  await stage.cli.run('run', '[[text Said by the worker.]]');
  const terminal = await stage.attach();
  await stage.say(terminal, '[[text Before the kill.]]');
  await stage.saved('Before the kill.');
  killProcess(stage.program());
  expect(await terminal.finished).toMatchObject({ code: 137 });
  await stage.takenBack();
  expect(await stage.said()).toEqual([
    opened,
    {
      type: 'terminal_message',
      uuid: expect.any(String),
      text: '[[text Before the kill.]]',
      actor: 'user:owner',
    },
    { type: 'terminal_text', content: 'Before the kill.' },
    { ...closed, messages: 1 },
  ]);
});

test('the program keeps the thread while its keeper and the worker are killed', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open();
  const { cli } = stage;
  await cli.run('run', '[[text Said by the worker.]]');
  const terminal = await stage.attachIn({ columns: 120, inShell: true });
  await stage.say(terminal, '[[text With both.]]');
  await stage.saved('With both.');
  const { terminal: before } = await stage.show();
  process.kill(cli.workerPid(), 'SIGKILL');
  await cli.run('send', 'last', '[[text Said after it.]]');
  expect((await stage.show()).terminal).toEqual(before);
  const program = stage.program();
  killProcess(parentOf(program));
  await waitUntil('the work says why it waits', async () => {
    const [newest] = (await stage.show()).dispatches;
    return newest?.why === 'the thread is open in a terminal of owner';
  });
  const { terminal: after } = await stage.show();
  expect(stage.program(), 'the program lives on').toBe(program);
  expect(after).toEqual(before);
  killProcess(program);
  await stage.takenBack();
  expect((await stage.said()).map(({ type }) => type)).toEqual([
    'terminal_opened',
    'terminal_message',
    'terminal_text',
    'terminal_closed',
  ]);
  await waitUntil('the work that waited has ended', async () => {
    const [newest] = (await stage.show()).dispatches;
    return newest?.state === 'ended';
  });
});

test('a session that was begun with /clear is gone on with', { tags: ['full'] }, async () => {
  await using stage = await TerminalStage.open();
  const { cli } = stage;
  await cli.run('run', '[[text Said by the worker.]]');
  const terminal = await stage.attach();
  await stage.say(terminal, '[[text Before it.]]');
  const first = stage.session();
  terminal.type('/clear');
  await terminal.saying('/clear');
  terminal.type('\r');
  await waitUntil('the session has changed', () => stage.session() !== first);
  await stage.say(terminal, '[[text In the new session.]]');
  const second = stage.session();
  await waitUntil('the worker has seen it', async () => (await stage.show()).terminal?.sessionId === second);
  terminal.type('/exit\r');
  await terminal.finished;
  expect((await stage.said()).at(-1)).toEqual({ ...closed, sessionId: second, messages: 2 });
  await cli.run('send', 'last', '[[text Said after it.]]');
  await waitUntil('the work has ended', async () => (await stage.show()).dispatches[0]?.state === 'ended');
  const last = JSON.stringify(cli.stage.simulator.requests.at(-1));
  expect(last).toContain('In the new session.');
  expect(last).not.toContain('Said by the worker.');
});

test('a question that is open is answered first, or set aside because somebody said so', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open();
  const { cli } = stage;
  await cli.run('run', '-d', '[[ask Which colour? | Red | Blue]] [[next]] [[text Painted.]]');
  await waitUntil('it asks', async () => (await cli.run('inbox', '--json')).stdout.includes('Which colour?'));
  const refused = cli.onTerminal(['attach', 'last']);
  await refused.saying('waits for an answer, and a terminal would not show the question');
  expect(await refused.finished).toMatchObject({ code: 65 });
  expect((await stage.show()).dispatches[0]?.state).toBe('waiting');

  const terminal = await stage.attach('--set-aside');
  expect((await stage.show()).dispatches[0]).toMatchObject({
    state: 'ended',
    outcome: { result: 'cancelled', reason: 'taken into a terminal by owner' },
  });
  expect((await cli.run('inbox', '--json')).stdout).toBe('[]\n');
  await stage.say(terminal, '[[text Never mind.]]');
  terminal.type('/exit\r');
  await terminal.finished;
  expect((await stage.said()).at(-1)).toEqual({ ...closed, messages: 1 });
});

test('a session that was started by hand becomes a thread, once, with what was said', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open();
  const { cli } = stage;
  const terminal = await stage.byHand();
  await stage.say(terminal, '[[text Typed by hand.]]');
  await stage.saved('Typed by hand.');
  const sessionId = stage.session() ?? '';
  const [listed] = (await cli.run('adopt', '--json')).stdout.split('\n');
  expect(JSON.parse(listed ?? '')).toMatchObject({
    runtime: 'claude',
    sessionId,
    workspace: cli.stage.workspace,
    title: '[[text Typed by hand.]]',
    openIn: stage.program(),
  });
  expect(await cli.run('adopt', sessionId)).toMatchObject({
    code: 65,
    stderr: expect.stringContaining('Leave it there first.'),
  });
  terminal.type('/exit\r');
  await terminal.finished;
  expect(await cli.run('adopt', sessionId.slice(0, 8), '--name', 'mine')).toMatchObject({ code: 0 });
  await expectAdopted(stage, sessionId);
});

test('without a terminal, and with a session that nobody has, there is a sentence', async () => {
  await using stage = await TerminalStage.open();
  expect(await stage.cli.run('attach', 'last')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('attach needs a terminal'),
  });
  expect(await stage.cli.run('adopt', 'nosuch')).toMatchObject({
    code: 66,
    stderr: expect.stringContaining('No session starts with "nosuch".'),
  });
});

test('project files that nobody has approved keep a thread out of a terminal, where they would count', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open();
  const { cli } = stage;
  await cli.run('run', '[[text Said by the worker.]]');
  mkdirSync(join(cli.stage.workspace, '.claude'));
  writeFileSync(join(cli.stage.workspace, '.claude/settings.json'), '{"hooks":{}}');
  const refused = cli.onTerminal(['attach', 'last'], { columns: 400 });
  await refused.saying('.claude/settings.json in ');
  await refused.saying('Read and approve them first: handraise config trust ');
  expect(await refused.finished).toMatchObject({ code: 65 });
  expect((await stage.show()).terminal).toBeUndefined();
  expect(await cli.run('config', 'trust', '--yes')).toMatchObject({ code: 0 });
  const terminal = await stage.attach();
  killProcess(stage.program());
  await terminal.finished;
  expect((await stage.said()).at(-1)).toEqual({ ...closed, messages: 0 });
});

function parentOf(pid: number | undefined): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
