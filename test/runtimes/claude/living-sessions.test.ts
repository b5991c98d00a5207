import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readProcess } from '../../../src/process/families/process-table.js';
import { hookNews } from '../../../src/runtimes/claude/hook-news.js';
import { installHooks, removeHooks } from '../../../src/runtimes/claude/hook-settings.js';
import { ClaudeLivingSessions, claudeEvidence } from '../../../src/runtimes/claude/living-sessions.js';
import { openCallWords } from '../../../src/runtimes/claude/open-call.js';

const now = Date.UTC(2026, 0, 1);
let config: string;
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'handraise-observed-'));
  mkdirSync(join(config, 'sessions'));
});
afterEach(() => rmSync(config, { recursive: true }));

const env = () => ({ CLAUDE_CONFIG_DIR: config });
const look = () => new ClaudeLivingSessions().look({ env: env(), now });
const procStart = readProcess(process.pid)?.identity.startTime ?? '';
const state = {
  pid: process.pid,
  sessionId: 'abc',
  cwd: '/work',
  procStart,
  entrypoint: 'cli',
  status: 'busy',
};
const write = (value: unknown, name = `${process.pid}.json`) =>
  writeFileSync(join(config, 'sessions', name), typeof value === 'string' ? value : JSON.stringify(value));

describe('the file of a session', () => {
  test('that lives', () => {
    write(state);
    expect(look()).toEqual([
      {
        runtime: 'claude',
        sessionId: 'abc',
        pid: process.pid,
        startTime: procStart,
        isAlive: true,
        workspace: '/work',
        title: '',
        evidence: claudeEvidence({ status: 'busy' }, null, now),
      },
    ]);
  });

  test('of a process that has another start time is of one that is dead', () => {
    write({ ...state, procStart: '1' });
    expect(look()).toMatchObject([{ isAlive: false }]);
  });

  test.each<[string, () => void]>([
    ['named after another process', () => write(state, '1.json')],
    ['that a program has started', () => write({ ...state, entrypoint: 'sdk-ts' })],
    ['that is half written', () => write('{"pid":')],
    ['that is too large', () => write({ ...state, more: 'x'.repeat(70_000) })],
    ['whose id is a path', () => write({ ...state, sessionId: '../../x' })],
    ['without a start time', () => write({ ...state, procStart: undefined })],
    ['that is a link', () => symlinkSync('/proc/self/status', join(config, 'sessions', '1.json'))],
    ['that is a pipe', () => execFileSync('mkfifo', [join(config, 'sessions', `${process.pid}.json`)])],
    ['that is a folder', () => mkdirSync(join(config, 'sessions', `${process.pid}.json`))],
  ])('%s is nothing', (_, make) => {
    make();
    expect(look()).toEqual([]);
  });
});

test.each([
  ['busy', null, 'said_busy'],
  ['idle', null, 'said_idle'],
  ['waiting', null, 'said_asking'],
  ['waiting', 'said_idle', 'said_asking'],
  ['dreaming', null, 'sign_of_life'],
  ['constructor', null, 'sign_of_life'],
  [undefined, 'said_busy', 'said_busy'],
] as const)('status %s, hook %s: %s', (status, fact, told) => {
  const news = fact && { sessionId: 'abc', fact };
  expect(claudeEvidence({ status }, news, now).at(-1)?.fact).toBe(told);
});

test.each<[object, object | null]>([
  [{ hook_event_name: 'Stop' }, { sessionId: 'a', fact: 'said_idle' }],
  [
    { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
    { sessionId: 'a', fact: 'said_busy' },
  ],
  [
    { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'ls' } },
    { sessionId: 'a', fact: 'said_asking', asked: 'Run ls?' },
  ],
  [{ hook_event_name: 'Notification', notification_type: 'idle_prompt' }, null],
  [
    { hook_event_name: 'Notification', notification_type: 'permission_prompt' },
    { sessionId: 'a', fact: 'said_asking' },
  ],
  [{ hook_event_name: 'toString' }, null],
])('hook %j', (said, news) => {
  expect(hookNews({ session_id: 'a', ...said })).toEqual(news);
});

const use = (id: string, name: string, input: object) =>
  JSON.stringify({ message: { content: [{ type: 'tool_use', id, name, input }] } });
const result = (id: string) =>
  JSON.stringify({ message: { content: [{ type: 'tool_result', tool_use_id: id }] } });

test('what is asked is the last call of a transcript that has no result', () => {
  const asks = use('2', 'AskUserQuestion', { questions: [{ question: 'Which colour?' }] });
  const lines = ['half a line"}', use('1', 'Bash', { command: 'ls' }), result('1'), asks, '{"type":"mode"}'];
  expect(openCallWords(lines)).toBe('Which colour?');
  expect(openCallWords([...lines, result('2')])).toBeUndefined();
});

const file = () => join(config, 'settings.json');

describe('hooks', () => {
  test('leave everything else as it is, are there once, and go without a trace', () => {
    const own = { model: 'opus', hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] } };
    writeFileSync(file(), JSON.stringify(own));
    installHooks(env());
    const once = readFileSync(file(), 'utf8');
    installHooks(env());
    expect(readFileSync(file(), 'utf8')).toBe(once);
    const { model, hooks } = JSON.parse(once);
    expect([model, hooks.Stop.length, hooks.PermissionRequest.length]).toEqual(['opus', 2, 1]);
    removeHooks(env());
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(own);
  });

  test('write through a link, as people have who keep their settings elsewhere', () => {
    const elsewhere = join(config, 'elsewhere.json');
    writeFileSync(elsewhere, '{}');
    symlinkSync(elsewhere, file());
    installHooks(env());
    expect(readFileSync(elsewhere, 'utf8')).toContain('# handraise observe');
  });

  test.each([
    ['{"hooks":', 'is not valid JSON, and is not changed'],
    ['{"hooks":{"Stop":"x"}}', 'its hooks are not as Claude Code wants them'],
  ])('%s is left alone', (text, words) => {
    writeFileSync(file(), text);
    expect(() => installHooks(env())).toThrow(words);
    expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  test('replace one file, say nothing and succeed, also when their folder is gone', () => {
    installHooks(env());
    const { hooks } = JSON.parse(readFileSync(file(), 'utf8'));
    const run = (name: string, input: string) =>
      execFileSync('/bin/sh', ['-c', hooks[name][0].hooks[0].command], { input, encoding: 'utf8' });
    expect(run('Stop', '{"a":1}')).toBe('');
    const news = join(config, 'handraise-observed', `${process.pid}.json`);
    expect(readFileSync(news, 'utf8')).toBe('{"a":1}');
    expect(run('SessionEnd', '{}')).toBe('');
    expect(() => readFileSync(news)).toThrow('ENOENT');
    rmSync(join(config, 'handraise-observed'), { recursive: true });
    expect(run('Stop', '{}')).toBe('');
  });

  test('take all of their input, however much it is and whatever they do with it', () => {
    installHooks(env());
    const { hooks } = JSON.parse(readFileSync(file(), 'utf8'));
    rmSync(join(config, 'handraise-observed'), { recursive: true });
    // More than a pipe holds: whoever does not read it is met as EPIPE.
    const input = 'x'.repeat(2 ** 20);
    for (const name of ['Stop', 'SessionEnd'])
      execFileSync('/bin/sh', ['-c', hooks[name][0].hooks[0].command], { input });
  });
});
