import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../../harness/stage.js';
import { waitUntil } from '../../harness/wait-until.js';
import { tool } from '../../runner/prompting.js';
import { first, only, textOf } from '../../runner/stable.js';
import { driveCodex, openCodexStage, shell } from './codex-driver.js';

const ask = { question: 'Which tree?', options: ['Oak', 'Elm'], partial_state: { step: 2 } };

/** Changes the settings of the user. */
function configure(stage: Stage, change: (config: string) => string): void {
  const file = join(stage.home, '.codex', 'config.toml');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** A program that does something before it becomes Codex, or starts it in another way. */
function wrapped(stage: Stage, script: string): string {
  const file = join(stage.home, 'wrapped-codex');
  writeFileSync(file, `#!/bin/sh\n${script.replaceAll('CODEX', stage.env['HANDRAISE_CODEX'] ?? '')}\n`);
  chmodSync(file, 0o755);
  return file;
}

function canLeaveTheNetwork(): boolean {
  try {
    execFileSync('unshare', ['-n', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a command of Codex', () => {
  it('that is interrupted before it was even told is gone too', async () => {
    await using stage = await openCodexStage();
    await using runner = driveCodex(stage);
    runner.message(`${shell('node -e "setTimeout(() => {}, 3600002)"')} [[next]] [[text never]]`);
    await waitUntil(async () => (await runner.processes('3600002')).length > 0);
    runner.send({ type: 'interrupt' });
    await runner.until('turn_complete');
    await waitUntil(async () => (await runner.processes('3600002')).length === 0);
    expect(textOf(await runner.turn('[[text after]]'))).toBe('after');
  });

  it('that a user’s settings keep variables from still carries the mark by which strays are found', async () => {
    await using stage = await openCodexStage();
    configure(stage, (config) => `${config}\n[shell_environment_policy]\ninherit = "none"\n`);
    await using runner = driveCodex(stage);
    const turn = await runner.turn(`${shell('echo "mark=$HANDRAISE_RUN"')} [[next]] [[text Ran.]]`);
    expect(first(turn, 'tool_end').summary).toMatch(/^mark=\d+\./m);
  });
});

describe('a model that cannot be reached', () => {
  it('is not tried without end, and the turn fails for want of a network', async () => {
    await using stage = await openCodexStage();
    configure(stage, (config) =>
      config
        .replace(/base_url = .*/, 'base_url = "http://127.0.0.1:1/v1"')
        .replace('unbounded_connection_retries = false', ''),
    );
    await using runner = driveCodex(stage);
    const turn = await runner.turn('Hello?');
    expect(first(turn, 'result')).toMatchObject({ success: false, errorKind: 'network' });
    expect(only(turn, 'interrupted')).toEqual([]);
  });

  it('that breaks off in the middle is tried again, and the text before does not count', async () => {
    await using stage = await openCodexStage();
    configure(stage, (config) => config.replace('stream_max_retries = 0', 'stream_max_retries = 2'));
    await using runner = driveCodex(stage);
    const turn = await runner.turn('[[cut 6 times=1]] [[text "One.\\n\\nTwo and three and four."]]');
    expect(first(turn, 'result')).toMatchObject({ success: true, text: 'One.\n\nTwo and three and four.' });
    expect(only(turn, 'warning').some(({ message }) => message.includes('tries again'))).toBe(true);
  });
});

describe('a session of Codex', () => {
  it('has one writer: a second one waits a while, then says so', async () => {
    await using stage = await openCodexStage();
    await using runner = driveCodex(stage);
    const { sessionId } = first(await runner.turn('[[text Mine.]]'), 'turn_complete');
    await using second = driveCodex(stage, { args: ['--resume', sessionId] });
    const { code, last } = await second.end();
    expect([code, first(last, 'error').message]).toEqual([
      1,
      expect.stringContaining('open in another Codex'),
    ]);
    await using third = driveCodex(stage, { args: ['--resume', sessionId] });
    await third.next('ready');
    runner.send({ type: 'stop' });
    await runner.end();
    expect(textOf(await third.turn('[[text Mine now.]]'))).toBe('Mine now.');
  });

  it.runIf(canLeaveTheNetwork())('that takes seconds to end is waited for', async () => {
    await using stage = await openCodexStage();
    const binary = wrapped(stage, 'exec unshare -n CODEX "$@"');
    await using runner = driveCodex(stage, { env: { HANDRAISE_CODEX: binary } });
    await runner.next('status_evidence');
    runner.send({ type: 'stop' });
    const { code, last } = await runner.end();
    expect([code, first(last, 'agent_exited')]).toMatchObject([0, { exitCode: 0, signal: null }]);
  });

  it('keeps what a newer Codex says', async () => {
    await using stage = await openCodexStage();
    const said = { method: 'hologram/shown', params: { colour: 'blue' } };
    const binary = wrapped(stage, `echo '${JSON.stringify(said)}'\necho 'not even JSON'\nexec CODEX "$@"`);
    await using runner = driveCodex(stage, { env: { HANDRAISE_CODEX: binary } });
    const turn = await runner.turn('[[text Fine.]]');
    expect(only(turn, 'unrecognized').map(({ raw }) => raw)).toEqual([said, 'not even JSON']);
    expect(textOf(turn)).toBe('Fine.');
  });

  it('without a Codex says what to install', async () => {
    await using stage = await openCodexStage();
    await using missing = driveCodex(stage, { env: { HANDRAISE_CODEX: undefined, PATH: '/nowhere' } });
    expect([await missing.end(), missing.stderr]).toMatchObject([
      { code: 69 },
      expect.stringContaining('npm install -g @openai/codex'),
    ]);
    await using wrong = driveCodex(stage, { env: { HANDRAISE_CODEX: '/nowhere/codex' } });
    expect([await wrong.end(), wrong.stderr]).toMatchObject([
      { code: 69 },
      expect.stringContaining('/nowhere/codex'),
    ]);
  });

  it('reads nothing of the project’s that could start a program, unless it may', async () => {
    await using stage = await openCodexStage();
    execFileSync('git', ['init', '-q'], { cwd: stage.workspace });
    mkdirSync(join(stage.workspace, '.codex'));
    const server = `[mcp_servers.evil]\ncommand = "touch"\nargs = ["${join(stage.home, 'started')}"]\n`;
    writeFileSync(join(stage.workspace, '.codex', 'config.toml'), server);
    await using without = driveCodex(stage, { args: ['--no-project-code'] });
    await without.turn('[[text Fine.]]');
    expect(existsSync(join(stage.home, 'started'))).toBe(false);
    await using withIt = driveCodex(stage);
    await withIt.turn('[[text Fine.]]');
    await waitUntil(() => existsSync(join(stage.home, 'started')));
  });
});

describe('the sandbox of Codex', () => {
  it('holds although its home lies below the temporary folder, and forbids to write', async () => {
    await using stage = await openCodexStage();
    await using runner = driveCodex(stage, {
      args: ['--tool-preset', 'read-only'],
      env: { TMPDIR: undefined },
    });
    const turn = await runner.turn(
      `${shell('touch made; cat /etc/hostname && echo read')} [[next]] [[text Ran.]]`,
    );
    expect(first(turn, 'tool_end').summary).toMatch(/Read-only file system[^]*read/);
    expect(existsSync(join(stage.workspace, 'made'))).toBe(false);
  });

  it.each([
    ['--tool-preset', 'read-only'],
    ['--permission-mode', 'plan'],
  ])('lets a question be left by a tool where it cannot be written: %s %s', async (...args) => {
    await using stage = await openCodexStage();
    execFileSync('git', ['init', '-q'], { cwd: stage.workspace });
    await using runner = driveCodex(stage, { args });
    const turn = await runner.turn(`${tool('needs_input', ask)} [[next]] [[text I stop.]]`);
    expect(only(turn, 'needs_input')).toMatchObject([
      { question: ask.question, options: ask.options, partialState: ask.partial_state },
    ]);
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: stage.workspace, encoding: 'utf8' });
    expect(status).toBe('');
  });

  it('is not led elsewhere by a link in place of the folder', async () => {
    await using stage = await openCodexStage();
    mkdirSync(join(stage.home, 'elsewhere'));
    symlinkSync(join(stage.home, 'elsewhere'), join(stage.workspace, '.agora'));
    await using runner = driveCodex(stage);
    const turn = await runner.turn(`${tool('needs_input', ask)} [[next]] [[text Hm.]]`);
    expect(first(turn, 'tool_end')).toMatchObject({
      success: false,
      summary: expect.stringContaining('link'),
    });
    expect(existsSync(join(stage.home, 'elsewhere', 'needs_input.json'))).toBe(false);
  });

  it('has a blank question refused with the reason', async () => {
    await using stage = await openCodexStage();
    await using runner = driveCodex(stage);
    const turn = await runner.turn(`${tool('needs_input', { question: ' ' })} [[next]] [[text Hm.]]`);
    expect(first(turn, 'tool_end')).toMatchObject({ success: false });
    expect([only(turn, 'needs_input'), existsSync(join(stage.workspace, '.agora'))]).toEqual([[], false]);
  });
});
