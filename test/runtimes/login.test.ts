import { expect, test } from 'vitest';
import { acpLogin } from '../../src/runtimes/acp/login.js';
import type { AgentSurroundings } from '../../src/runtimes/agent-surroundings.js';
import { ampLogin } from '../../src/runtimes/amp/login.js';
import { claudeModelUrl, claudePreflight } from '../../src/runtimes/claude/preflight.js';
import { codexLogin, codexProbe } from '../../src/runtimes/codex/preflight.js';
import type { PreflightLaunch } from '../../src/runtimes/runtime.js';

type Files = Record<string, string>;

const look = (
  env: Record<string, string>,
  files: Files,
  platform: NodeJS.Platform = 'linux',
): AgentSurroundings => ({
  env: { HOME: '/h', ...env },
  platform,
  text: (path) => files[path] ?? null,
});
const launch = (env: Record<string, string>, files: Files, more: Partial<PreflightLaunch> = {}) => ({
  ...look(env, files),
  cwd: '/w',
  permissionMode: 'default' as const,
  settingSources: ['project'] as const,
  mcpServers: {},
  projectFiles: [],
  isProjectKnown: true,
  ...more,
});
const missing = [expect.objectContaining({ subject: 'login', stops: 'no_permission' })];

test.each<[string, Record<string, string>, Files, boolean]>([
  ['nothing', {}, {}, false],
  ['an empty key', { ANTHROPIC_API_KEY: '' }, {}, false],
  ['a key', { ANTHROPIC_API_KEY: 'k' }, {}, true],
  ['a token', { CLAUDE_CODE_OAUTH_TOKEN: 't' }, {}, true],
  ['another cloud', { CLAUDE_CODE_USE_BEDROCK: '1' }, {}, true],
  ['a server of its own', { ANTHROPIC_BASE_URL: 'http://x' }, {}, true],
  ['a saved login', {}, { '/h/.claude/.credentials.json': '{}' }, true],
  ['one in another folder', { CLAUDE_CONFIG_DIR: '/c' }, { '/h/.claude/.credentials.json': '{}' }, false],
  ['a saved key', {}, { '/h/.claude.json': '{"primaryApiKey":"k"}' }, true],
  ['a program that tells it', {}, { '/h/.claude/settings.json': '{"apiKeyHelper":"x"}' }, true],
  [
    'a variable of the settings',
    {},
    { '/h/.claude/settings.json': '{"env":{"ANTHROPIC_API_KEY":"k"}}' },
    true,
  ],
  ['other settings', {}, { '/h/.claude/settings.json': '{"env":{"A":"k"}}' }, false],
  ['broken settings', {}, { '/h/.claude/settings.json': '{' }, false],
])('Claude with %s', (_what, env, files, isSignedIn) => {
  expect(claudePreflight(launch(env, files))).toEqual(isSignedIn ? [] : missing);
});

test('an empty address of the model is none', () => {
  const usual = 'https://api.anthropic.com';
  expect(claudeModelUrl({})).toBe(usual);
  expect(claudeModelUrl({ ANTHROPIC_BASE_URL: '' })).toBe(usual);
  expect(claudeModelUrl({ ANTHROPIC_BASE_URL: 'http://x' })).toBe('http://x');
});

test('a keychain may hold the login of Claude', () => {
  expect(claudePreflight(launch({}, {}, { platform: 'darwin' }))).toEqual([]);
});

test.each<[string, Partial<PreflightLaunch>, Files, string[]]>([
  [
    'rules of the user that do not count',
    {},
    { '/h/.claude/settings.json': '{"permissions":{"ask":["Bash"]}}' },
    [],
  ],
  [
    'rules of the user that count',
    { settingSources: ['user'] },
    { '/h/.claude/settings.json': '{"permissions":{"ask":["Bash","Edit"]}}' },
    ['/h/.claude/settings.json has 2 rules under permissions.ask'],
  ],
  [
    'a rule of the project',
    { projectFiles: [{ path: '.claude/settings.json', text: '{"permissions":{"ask":["Bash"]}}' }] },
    {},
    ['.claude/settings.json has a rule under permissions.ask'],
  ],
  [
    'a mode that is forbidden',
    {},
    {
      '/etc/claude-code/managed-settings.json': '{"permissions":{"disableBypassPermissionsMode":"disable"}}',
    },
    ['/etc/claude-code/managed-settings.json forbids bypassPermissions'],
  ],
])('unasked work is told of %s, and starts', (_what, more, files, problems) => {
  const found = (permissionMode: PreflightLaunch['permissionMode']) =>
    claudePreflight(launch({ ANTHROPIC_API_KEY: 'k' }, files, { ...more, permissionMode }));
  expect(found('bypassPermissions')).toEqual(
    problems.map((problem) => ({
      subject: 'ask_rules',
      problem: expect.stringContaining(problem),
      fix: expect.any(String),
    })),
  );
  expect(found('default')).toEqual([]);
});

test.each<[string, Record<string, string>, Files, boolean]>([
  ['nothing', {}, {}, false],
  ['a key', { OPENAI_API_KEY: 'k' }, {}, true],
  ['a saved login', {}, { '/h/.codex/auth.json': '{}' }, true],
  ['one in another folder', { CODEX_HOME: '/c' }, { '/c/auth.json': '{}' }, true],
  ['a provider of its own', {}, { '/h/.codex/config.toml': 'a = 1\nmodel_provider = "x"\n' }, true],
  ['a keyring', {}, { '/h/.codex/config.toml': 'cli_auth_credentials_store = "keyring"' }, true],
  ['other settings', {}, { '/h/.codex/config.toml': 'model = "model_provider"' }, false],
])('Codex with %s', (_what, env, files, isSignedIn) => {
  expect(codexLogin(look(env, files))).toEqual(isSignedIn ? [] : missing);
});

test('Codex says that its settings are broken', () => {
  const text = 'WARNING\nError loading configuration: /h/config.toml:1:10: unclosed array\n';
  expect(codexProbe.read({ code: 1, text })).toMatchObject([{ subject: 'settings', stops: 'config' }]);
  expect(codexProbe.read({ code: 1, text: 'Not logged in' })).toEqual([]);
});

test.each<[string, Record<string, string>, Files, boolean]>([
  ['nothing', {}, {}, false],
  ['a key', { AMP_API_KEY: 'k' }, {}, true],
  ['a saved login', {}, { '/h/.local/share/amp/secrets.json': '{}' }, true],
])('Amp with %s', (_what, env, files, isSignedIn) => {
  expect(ampLogin(look(env, files))).toEqual(isSignedIn ? [] : missing);
});

test.each<[string, Record<string, string>, Files, boolean]>([
  ['gemini', {}, {}, false],
  ['gemini', { GEMINI_API_KEY: 'k' }, {}, true],
  ['gemini', {}, { '/h/.gemini/oauth_creds.json': '{}' }, true],
  ['claude-agent-acp', {}, {}, false],
  ['codex-acp', {}, {}, false],
  ['somebody', {}, {}, true],
])('the agent %s over ACP, with %j %j', (name, env, files, isSignedIn) => {
  expect(acpLogin(name, look(env, files))).toEqual(isSignedIn ? [] : missing);
});
