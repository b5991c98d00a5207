import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PermissionMode, ToolPreset } from '../../../src/protocol/posture.js';
import { opencodeSettings } from '../../../src/runtimes/opencode/command.js';
import { OpencodeGatekeeper, type OpencodeWish } from '../../../src/runtimes/opencode/gatekeeper.js';
import { messageId, messageTail } from '../../../src/runtimes/opencode/message-id.js';
import { Models } from '../../../src/runtimes/opencode/models.js';
import { projectSettings } from '../../../src/runtimes/opencode/project-settings.js';
import {
  nobodyAnswered,
  opencodeAnswers,
  opencodeQuestions,
} from '../../../src/runtimes/opencode/questions.js';
import { holdsRules, sessionRules } from '../../../src/runtimes/opencode/rules.js';
import { opencodeCall } from '../../../src/runtimes/opencode/tool-call.js';
import { opencodeErrorKind } from '../../../src/runtimes/opencode/turn-error.js';
import type { Asks, Launch, Unanswered } from '../../../src/runtimes/runtime.js';

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'opencode-')));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function put(path: string, text = 'x'): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

type Reply = Asks['permission']['reply'] | Unanswered;
const approved: Reply = { answered: true, approved: true, scope: 'once' };

function gate(given: { mode?: PermissionMode; toolPreset?: ToolPreset; reply?: Reply } = {}) {
  const asked: unknown[] = [];
  const gatekeeper = new OpencodeGatekeeper({
    launch: { cwd: workspace, toolPreset: given.toolPreset ?? 'full' },
    mode: () => given.mode ?? 'default',
    ask: async (_kind: string, request: unknown): Promise<never> => {
      asked.push(request);
      return (given.reply ?? approved) as never;
    },
  });
  return { asked, decide: (wish: OpencodeWish) => gatekeeper.decide(wish, new AbortController().signal) };
}

const bash = (command: string): OpencodeWish => ({
  tool: 'Bash',
  input: { command },
  toolUseId: 'c',
  permission: 'bash',
});
const edit = (file: string): OpencodeWish => ({
  tool: 'Write',
  input: { file_path: file },
  toolUseId: 'c',
  permission: 'edit',
  file,
});

const launch = (files: { path: string; text: string }[] | 'workspace', cwd = workspace) =>
  ({
    cwd,
    env: { HOME: '/home/nobody' },
    projectCode: files === 'workspace' ? files : { files },
  }) as unknown as Launch;

const settings = (env: Record<string, string>, readsProject = false) =>
  opencodeSettings(
    {
      cwd: workspace,
      env,
      mcpServers: { one: { command: 'a', args: ['b'], env: { C: 'd' } } },
      projectCode: { files: [] },
      toolPreset: 'full',
    } as unknown as Launch,
    { password: 'secret', marker: { M: '1' }, readsProject, plugin: 'file:///p.js' },
  );

const id = (uuid: string, now: number) => messageId({ run: 'r', uuid, now });

describe('what OpenCode asks for', () => {
  it.each([
    ['bypassPermissions', 'full', 'bash', 'once'],
    ['default', 'full', 'bash', 'asked'],
    ['default', 'full', 'edit', 'asked'],
    ['acceptEdits', 'full', 'bash', 'asked'],
    ['acceptEdits', 'full', 'edit', 'once'],
    ['acceptEdits', 'full', 'outside', 'asked'],
    ['dontAsk', 'full', 'bash', 'reject'],
    ['bypassPermissions', 'read-only', 'bash', 'reject'],
    ['bypassPermissions', 'read-only', 'edit', 'reject'],
    ['bypassPermissions', 'read-only', 'sentinel', 'once'],
    ['dontAsk', 'full', 'sentinel', 'once'],
    ['bypassPermissions', 'no-bash', 'bash', 'reject'],
    ['bypassPermissions', 'no-bash', 'edit', 'once'],
  ] as const)('in the mode %s with the preset %s: %s is %s', async (mode, toolPreset, what, expected) => {
    const wishes = {
      bash: bash('ls'),
      edit: edit(join(workspace, 'a')),
      outside: edit('/etc/passwd'),
      sentinel: edit(join(workspace, '.agora/needs_input.json')),
    };
    const { asked, decide } = gate({ mode, toolPreset });
    const { reply } = await decide(wishes[what]);
    expect(asked.length > 0 ? 'asked' : reply).toBe(expected);
  });

  it('is approved once, also for the thread: exactly what was shown is not asked again', async () => {
    const { asked, decide } = gate({ reply: { answered: true, approved: true, scope: 'thread' } });
    expect(await decide(bash('git status'))).toEqual({ reply: 'once' });
    expect(await decide(bash('git status'))).toEqual({ reply: 'once' });
    expect(asked).toHaveLength(1);
    expect(await decide(bash('git push'))).toEqual({ reply: 'once' });
    expect(asked).toHaveLength(2);
  });

  it.each([
    [{ answered: true, approved: false, scope: 'once' }, 'The user denied this action.'],
    [{ answered: true, approved: false, scope: 'once', message: 'Not on a Friday.' }, 'Not on a Friday.'],
    [
      { answered: false, why: 'no one is there.' },
      'This was no rejection by the user. Nobody answered: no one is there. Do not take this for a refusal or for consent.',
    ],
  ] as const)('is never rejected without words, which would end the turn: %j', async (reply, message) => {
    expect(await gate({ reply }).decide(bash('ls'))).toEqual({ reply: 'reject', message });
  });
});

describe('settings of a project', () => {
  it('are none where there are none', () => {
    put('README.md');
    put('.git/HEAD');
    put('.opencode/node_modules/a.js');
    expect(projectSettings(launch([]))).toEqual({ state: 'none' });
  });

  it.each([
    'opencode.json',
    'opencode.jsonc',
    '.opencode/opencode.json',
    '.opencode/plugin/a.js',
    '.opencode/plugins/deep/a.ts',
    '.opencode/tool/a.js',
    '.opencode/agents/a.md',
    '.opencode/command/a.md',
    '.opencode/skills/a/SKILL.md',
  ])('count when they are approved byte for byte: %s', (path) => {
    put('.git/HEAD');
    put(path, 'one');
    expect(projectSettings(launch([]))).toEqual({ state: 'unapproved', path });
    expect(projectSettings(launch([{ path, text: 'two' }]))).toEqual({ state: 'unapproved', path });
    expect(projectSettings(launch([{ path, text: 'one' }]))).toEqual({ state: 'approved' });
    expect(projectSettings(launch('workspace'))).toEqual({ state: 'approved' });
  });

  it('count in the folders above too, up to the top of the work tree', () => {
    put('.git/HEAD');
    put('opencode.json', 'one');
    mkdirSync(join(workspace, 'packages/app'), { recursive: true });
    const below = join(workspace, 'packages/app');
    expect(projectSettings(launch([], below))).toEqual({ state: 'unapproved', path: '../../opencode.json' });
    const files = [{ path: '../../opencode.json', text: 'one' }];
    expect(projectSettings(launch(files, below))).toEqual({ state: 'approved' });
  });

  it('cannot hide behind a link', () => {
    put('.git/HEAD');
    put('elsewhere.json', 'one');
    symlinkSync(join(workspace, 'elsewhere.json'), join(workspace, 'opencode.json'));
    const files = [{ path: 'opencode.json', text: 'one' }];
    expect(projectSettings(launch(files))).toEqual({ state: 'unapproved', path: 'opencode.json' });
  });
});

describe('what OpenCode is started with', () => {
  it('keeps the user’s settings, and adds to them', () => {
    const { env } = settings({ OPENCODE_CONFIG_CONTENT: '{"theme":"x","plugin":["p"],"mcp":{"two":{}}}' });
    expect(JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '')).toEqual({
      theme: 'x',
      plugin: ['p', 'file:///p.js'],
      mcp: {
        two: {},
        one: {
          type: 'local',
          command: ['a', 'b'],
          environment: { C: 'd', OPENCODE_SERVER_PASSWORD: '' },
          enabled: true,
        },
      },
      experimental: { continue_loop_on_deny: true },
      autoupdate: false,
    });
    expect(settings({ OPENCODE_CONFIG_CONTENT: '[' }).warnings).toHaveLength(1);
  });

  it('asks about everything but reading, whatever the variable of the user says', () => {
    const { env } = settings({
      OPENCODE_PERMISSION: '{"*":"allow"}',
      HANDRAISE_X: '1',
      OPENCODE_SERVER_USERNAME: 'x',
    });
    expect(JSON.parse(env['OPENCODE_PERMISSION'] ?? '')).toMatchObject({ '*': 'ask', glob: 'allow' });
    expect(env).toMatchObject({
      OPENCODE_SERVER_PASSWORD: 'secret',
      M: '1',
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    });
    expect(env).not.toHaveProperty('HANDRAISE_X');
    expect(env).not.toHaveProperty('OPENCODE_SERVER_USERNAME');
    expect(settings({}, true).env).not.toHaveProperty('OPENCODE_DISABLE_PROJECT_CONFIG');
  });

  it('tells what the project only tells its agents, where OpenCode does not read it', () => {
    put('.git/HEAD');
    put('AGENTS.md', 'TOP-TEXT');
    put('CLAUDE.md', 'OTHER-TEXT');
    expect(settings({}).system).toContain('TOP-TEXT');
    expect(settings({}).system).not.toContain('OTHER-TEXT');
    expect(settings({}, true).system).not.toContain('TOP-TEXT');
  });
});

describe('words of OpenCode', () => {
  const questions = [
    { question: 'One?', header: 'H', options: [{ label: 'A', description: 'a' }, { label: 'B' }] },
    { question: 'Many?', multiple: true, options: [{ label: 'A' }, { label: 'B, C' }, { label: 'D' }] },
  ];

  it('for questions and answers are ours', () => {
    expect(opencodeQuestions(questions)).toEqual([
      {
        question: 'One?',
        header: 'H',
        multiSelect: false,
        options: [{ label: 'A', description: 'a' }, { label: 'B' }],
      },
      { question: 'Many?', multiSelect: true, options: [{ label: 'A' }, { label: 'B, C' }, { label: 'D' }] },
    ]);
    expect(opencodeAnswers(questions, { 'One?': 'free, text', 'Many?': 'A, D' })).toEqual([
      ['free, text'],
      ['A', 'D'],
    ]);
    expect(opencodeAnswers(questions, { 'Many?': 'B, C' })).toEqual([[], ['B, C']]);
    expect(opencodeAnswers(questions, { 'Many?': 'A, but later' })).toEqual([[], ['A, but later']]);
    expect(nobodyAnswered(questions, 'late.')).toEqual(
      questions.map(() => ['Nobody answered: late. Do not take this for an answer.']),
    );
  });

  it.each([
    ['bash', {}, 'Bash'],
    ['question', {}, 'AskUserQuestion'],
    ['my_srv_echo', {}, 'mcp__my.srv__echo'],
    ['my_other', {}, 'mcp__my__other'],
    ['hologram', {}, 'hologram'],
    ['constructor', {}, 'constructor'],
  ])('for tools are those of every runtime: %s', (tool, input, name) => {
    expect(opencodeCall({ tool, state: { status: 'running', input } }, ['my', 'my.srv'])).toEqual({
      tool: name,
      input: {},
    });
  });

  it.each([
    [{ message: 'x', statusCode: 401 }, 'auth'],
    [{ message: 'x', statusCode: 402 }, 'billing'],
    [{ message: 'x', statusCode: 429 }, 'rate_limit'],
    [{ message: 'x', statusCode: 529 }, 'overloaded'],
    [{ message: 'x', statusCode: 500 }, 'server'],
    [{ message: 'x', statusCode: 400 }, 'invalid_request'],
    [{ message: 'Cannot connect to API: Unable to connect.' }, 'network'],
    [{ message: 'Too Many Requests' }, 'rate_limit'],
    [{ message: 'Model not found: a/b.' }, 'invalid_request'],
    [{ name: 'ProviderAuthError', message: 'x' }, 'auth'],
    [{ name: 'MessageAbortedError', message: 'x' }, 'interrupted'],
    [{ message: 'x' }, 'other'],
  ])('for errors: %j', (error, kind) => {
    expect(opencodeErrorKind(error)).toBe(kind);
  });

  it('for models: by provider, or alone where only one has it', () => {
    const models = new Models({
      providers: [
        { id: 'a', models: { x: {}, 'y/z': { name: 'Y' } } },
        { id: 'b', models: { x: {} } },
      ],
    });
    expect(models.find('a/x')).toEqual({ providerID: 'a', modelID: 'x' });
    expect(models.find('y/z')).toEqual({ providerID: 'a', modelID: 'y/z' });
    expect(() => models.find('x')).toThrow('Several providers have the model x. Name one: a/x, b/x.');
    expect(() => models.find('q')).toThrow('OpenCode knows no model q here. It has: a/x, a/y/z, b/x.');
  });

  it('for ids: a later message has a larger one, and its end tells which it was', () => {
    const ids = [1, 2, 1000, 100_000].map((later) => id('u', 1_794_886_078_422 + later));
    expect(ids.toSorted()).toEqual(ids);
    expect(id('u', 1_794_886_078_422)).toMatch(/^msg_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
    expect(id('u', 5).endsWith(messageTail('r', 'u'))).toBe(true);
    expect(messageTail('r', 'u')).not.toBe(messageTail('r', 'v'));
    expect(messageTail('r', 'u')).not.toBe(messageTail('s', 'u'));
  });

  it('for rules: added once', () => {
    expect(holdsRules([])).toBe(false);
    expect(holdsRules([{ permission: 'x', pattern: '*', action: 'allow' }, ...sessionRules])).toBe(true);
    expect(holdsRules([...sessionRules, { permission: 'x', pattern: '*', action: 'allow' }])).toBe(false);
  });
});
