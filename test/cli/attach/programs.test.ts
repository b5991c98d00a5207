// @module-tag full
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import type { Terminal } from '../cli-stage.js';
import { expectAdopted } from './adopted.js';
import { TerminalStage } from './terminal-stage.js';

type Env = Readonly<Record<string, string>>;

/** What one program needs to be told, and how it is seen that it has saved a turn. */
interface Program {
  readonly runtime: 'codex' | 'opencode';
  /** What a person starts by hand. */
  readonly command: (env: Env) => string[];
  /** What it shows once it can be typed into. */
  readonly ready: string;
  readonly call: { readonly tool: string; readonly params: Record<string, unknown> };
  readonly completedTurns: (env: Env) => number;
  readonly leave: string;
  /** OpenCode takes half a minute to start. */
}

const programs: Program[] = [
  {
    runtime: 'codex',
    command: (env) => [env['HANDRAISE_CODEX'] ?? '', '--disable', 'daemon_auto_start'],
    ready: 'Codex',
    call: { tool: 'exec_command', params: { cmd: 'echo hi' } },
    completedTurns: codexTurns,
    leave: '/quit',
  },
  {
    runtime: 'opencode',
    command: (env) => [env['HANDRAISE_OPENCODE'] ?? ''],
    ready: 'commands',
    call: { tool: 'todowrite', params: { todos: [] } },
    completedTurns: opencodeTurns,
    leave: '/exit',
  },
];

describe.each(programs)('$runtime', ({ runtime, command, ready, call, completedTurns, leave }) => {
  const said = async (stage: TerminalStage, terminal: Terminal, text: string, turns: number) => {
    await stage.typed(terminal, text);
    await waitUntil('the turn is over and saved', () => completedTurns(stage.cli.stage.env) === turns);
  };
  const left = async (stage: TerminalStage, terminal: Terminal) => {
    await stage.typed(terminal, leave);
    expect(await terminal.finished).toMatchObject({ code: 0 });
  };

  test('opens a thread, which is taken back with what was said, and whose next work knows all of it once', async () => {
    await using stage = await TerminalStage.open(runtime);
    const { cli } = stage;
    await cli.run('run', '--runtime', runtime, '[[text Said by the worker.]]');
    const terminal = stage.openIn(['attach', 'last']);
    await terminal.saying('worker.]]');
    const text = `[[tool ${call.tool} ${JSON.stringify(call.params)}]] [[next]] [[text Said in the terminal.]]`;
    await said(stage, terminal, text, 2);
    await cli.run('send', 'last', '[[text Said after it.]]');
    await waitUntil('the work says why it waits', async () => {
      const [newest] = (await stage.show()).dispatches;
      return newest?.why === 'the thread is open in a terminal of owner';
    });
    await left(stage, terminal);

    const session = { actor: 'user:owner', sessionId: expect.any(String) };
    expect(await stage.said()).toEqual([
      { type: 'terminal_opened', ...session },
      { type: 'terminal_message', uuid: expect.any(String), text, actor: 'user:owner' },
      {
        type: 'terminal_tool',
        id: expect.any(String),
        ...call,
        success: true,
        summary: expect.any(String),
      },
      { type: 'terminal_text', content: 'Said in the terminal.' },
      { type: 'terminal_closed', ...session, messages: 1, isCut: false },
    ]);
    await waitUntil('the work that waited has ended', async () => {
      const [newest] = (await stage.show()).dispatches;
      return newest?.state === 'ended';
    });
    const last = stage.lastHeard();
    for (const words of ['Said by the worker.', 'Said in the terminal.'])
      expect(last.split(words).length - 1, words).toBe(2);
    expect(last.split('Said after it.').length - 1).toBe(1);
  });

  test('a session that was started by hand becomes a thread, once, with what was said', async () => {
    await using stage = await TerminalStage.open(runtime);
    const { cli } = stage;
    const terminal = stage.openIn([], { columns: 120, rows: 40, program: command(cli.stage.env) });
    await terminal.saying(ready);
    await said(stage, terminal, '[[text Typed by hand.]]', 1);
    await left(stage, terminal);

    const { sessionId } = JSON.parse((await cli.run('adopt', '--json')).stdout);
    expect(await cli.run('adopt', sessionId, '--name', 'mine')).toMatchObject({ code: 0 });
    await expectAdopted(stage, sessionId);
  });
});

/** How many turns Codex has written down to their end. */
function codexTurns(env: Env): number {
  const sessions = join(env['CODEX_HOME'] ?? '', 'sessions');
  if (!existsSync(sessions)) return 0;
  return readdirSync(sessions, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => readFileSync(join(sessions, file), 'utf8').split('"task_complete"').length - 1)
    .reduce((sum, count) => sum + count, 0);
}

/** How many turns OpenCode has written down to their end. */
function opencodeTurns(env: Env): number {
  const file = join(env['XDG_DATA_HOME'] ?? '', 'opencode', 'opencode.db');
  if (!existsSync(file)) return 0;
  const database = new Database(file, { readonly: true, timeout: 5000 });
  try {
    return database.prepare(`select id from message where json_extract(data, '$.finish') = 'stop'`).all()
      .length;
  } catch {
    // It has not made its tables yet.
    return 0;
  } finally {
    database.close();
  }
}
