import { expect, test } from 'vitest';
import { agentEnvironment } from '../../../src/host/trust/agent-env.js';

test("the user's own variables stay, with what steers a login", () => {
  const own = {
    PATH: '/usr/bin',
    HOME: '/home/ada',
    LANG: 'C.UTF-8',
    HTTPS_PROXY: 'http://proxy.invalid',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    SSH_AUTH_SOCK: '/agent',
    IS_SANDBOX: '1',
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    OPENAI_API_KEY: 'key',
    CODEX_HOME: '/home/ada/.codex',
    CLAUDE_CONFIG_DIR: '/home/ada/.claude',
    CLAUDE_CODE_OAUTH_TOKEN: 'token',
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    GIT_SSL_CAINFO: '/ca.pem',
    GIT_AUTHOR_NAME: 'Ada',
    npm_config_registry: 'http://registry.invalid',
    HANDRAISE_CLAUDE: '/opt/claude',
    HANDRAISE_CODEX: '/opt/codex',
    HANDRAISE_OPENCODE: '/opt/opencode',
    HANDRAISE_AMP: '/opt/amp',
    EMPTY: '',
  };
  expect(agentEnvironment(own)).toEqual(own);
});

test('ours, a surrounding session, and what loads code into every process go', () => {
  const env = {
    HANDRAISE_HOME: '/state',
    HANDRAISE_RUN: '1.2',
    HANDRAISE_TOKEN: 'secret',
    NODE_OPTIONS: '--require /evil.js',
    NODE_CHANNEL_FD: '3',
    LD_PRELOAD: '/evil.so',
    DYLD_INSERT_LIBRARIES: '/evil.dylib',
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_SESSION_ID: 'session',
    CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'secret',
    CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR: '3',
    CLAUDE_PROJECT_DIR: '/elsewhere',
    CLAUDE_SOMETHING_NEW: '1',
    AI_AGENT: 'someone',
    GIT_DIR: '/elsewhere/.git',
    NOTIFY_SOCKET: '/run/notify',
    UNSET: undefined,
  };
  expect(agentEnvironment(env)).toEqual({});
});

test("npm's settings go where npm started us", () => {
  const env = {
    npm_lifecycle_event: 'start',
    npm_package_name: 'app',
    npm_config_local_prefix: '/app',
    INIT_CWD: '/app',
    NPM_TOKEN: 'token',
  };
  expect(agentEnvironment(env)).toEqual({ NPM_TOKEN: 'token' });
});
