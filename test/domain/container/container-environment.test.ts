import { expect, test } from 'vitest';
import {
  environmentWithHome,
  insideEnvironment,
} from '../../../src/domain/container/container-environment.js';

const machine = {
  HOME: '/home/ada',
  PATH: '/bin',
  LANG: 'C.UTF-8',
  ANTHROPIC_API_KEY: 'key',
  ANTHROPIC_UNIX_SOCKET: '/run/s',
  OPENAI_API_KEY: 'other',
  AWS_SECRET_ACCESS_KEY: 'secret',
  DOCKER_HOST: 'unix:///d',
  HANDRAISE_TOKEN: 'token',
  HANDRAISE_RUN: '1.2',
  NPM_TOKEN: 'npm',
};

test('only what the runtime needs, what is listed, and what every program may know', () => {
  const { open, secret, hosts } = insideEnvironment('claude', {
    env: machine,
    listed: ['NPM_TOKEN', 'DOCKER_HOST', 'HANDRAISE_TOKEN'],
    hosts: ['registry.npmjs.org'],
  });
  expect(secret).toEqual({
    LANG: 'C.UTF-8',
    ANTHROPIC_API_KEY: 'key',
    HANDRAISE_RUN: '1.2',
    NPM_TOKEN: 'npm',
  });
  expect(open).toMatchObject({ HOME: '/home/agent', HTTPS_PROXY: 'http://127.0.0.1:4010', IS_SANDBOX: '1' });
  expect(hosts).toEqual(expect.arrayContaining(['api.anthropic.com', 'registry.npmjs.org']));
});

test("another model's address takes the place of the runtime's own hosts", () => {
  expect(at('https://models.example')).toMatchObject({ hosts: ['models.example:443'] });
  expect(at('http://127.0.0.1:9')).toMatchObject({
    hosts: [],
    modelOrigin: 'http://127.0.0.1:9',
    secret: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4010' },
  });
});

test('what an agent in a container has saved lies below its own home', () => {
  expect(environmentWithHome({ ...machine, CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x' }, '/volume')).toEqual({
    ...machine,
    HOME: '/volume',
    IS_SANDBOX: '1',
  });
});

function at(url: string) {
  return insideEnvironment('claude', { env: { ANTHROPIC_BASE_URL: url }, listed: [], hosts: [] });
}

test.each([
  ['acp:claude-agent-acp', 'ANTHROPIC_API_KEY', 'api.anthropic.com'],
  ['acp:codex-acp', 'OPENAI_API_KEY', 'api.openai.com'],
  ['acp:opencode', 'ANTHROPIC_API_KEY', 'opencode.ai'],
  ['acp:gemini', 'GEMINI_API_KEY', 'generativelanguage.googleapis.com'],
] as const)('%s has what its model needs, and no secret of another', (runtime, key, host) => {
  const env = { ...machine, GEMINI_API_KEY: 'gem' };
  const { secret, hosts } = insideEnvironment(runtime, { env, listed: [], hosts: [] });
  expect(secret).toHaveProperty(key);
  expect(secret).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
  expect(secret).not.toHaveProperty('HANDRAISE_TOKEN');
  expect(hosts).toContain(host);
});

test('an ACP agent that nobody knows has the keys of models, and reaches what the user lists', () => {
  const wanted = { env: machine, listed: [], hosts: ['models.example'] };
  expect(insideEnvironment('acp:mine', wanted)).toMatchObject({
    secret: { ANTHROPIC_API_KEY: 'key', OPENAI_API_KEY: 'other' },
    hosts: ['models.example'],
  });
});
