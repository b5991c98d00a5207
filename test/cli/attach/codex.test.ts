import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import { TerminalStage } from './terminal-stage.js';

test('a thread is opened in Codex and taken back with what was said, and its next work knows all of it once', async () => {
  await using stage = await TerminalStage.open('codex');
  const { cli } = stage;
  await cli.run('run', '--runtime', 'codex', '[[text Said by the worker.]]');
  const terminal = stage.openIn(['attach', 'last']);
  await terminal.saying('worker.]]');
  const text = '[[tool exec_command {"cmd":"echo hi"}]] [[next]] [[text Said in the terminal.]]';
  terminal.type(text);
  await terminal.saying('terminal.]]');
  terminal.type('\r');
  await waitUntil('the turn is over and saved', () => completedTurns(cli.stage.env) === 2);
  await cli.run('send', 'last', '[[text Said after it.]]');
  await waitUntil('the work says why it waits', async () => {
    const [newest] = (await stage.show()).dispatches;
    return newest?.why === 'the thread is open in a terminal of owner';
  });
  terminal.type('/quit');
  await terminal.saying('/quit');
  terminal.type('\r');
  expect(await terminal.finished).toMatchObject({ code: 0 });

  const session = { actor: 'user:owner', sessionId: expect.any(String) };
  expect(await stage.said()).toEqual([
    { type: 'terminal_opened', ...session },
    { type: 'terminal_message', uuid: expect.any(String), text, actor: 'user:owner' },
    {
      type: 'terminal_tool',
      id: expect.any(String),
      tool: 'exec_command',
      params: { cmd: 'echo hi' },
      success: true,
      summary: expect.stringContaining('hi'),
    },
    { type: 'terminal_text', content: 'Said in the terminal.' },
    { type: 'terminal_closed', ...session, messages: 1, isCut: false },
  ]);
  await waitUntil('the work that waited has ended', async () => {
    const [newest] = (await stage.show()).dispatches;
    return newest?.state === 'ended';
  });
  const last = JSON.stringify(cli.stage.simulator.requests.at(-1)?.conversation);
  for (const words of ['Said by the worker.', 'Said in the terminal.'])
    expect(last.split(words).length - 1, words).toBe(2);
  expect(last.split('Said after it.').length - 1).toBe(1);
});

/** How many turns Codex has written down to their end. */
function completedTurns(env: Readonly<Record<string, string>>): number {
  const sessions = join(env['CODEX_HOME'] ?? '', 'sessions');
  return readdirSync(sessions, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => readFileSync(join(sessions, file), 'utf8').split('"task_complete"').length - 1)
    .reduce((sum, count) => sum + count, 0);
}
