import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { expect, test } from 'vitest';
import { claudeEnv, claudeOptions } from '../../../src/runtimes/claude/command.js';
import { lateHooks } from '../../../src/runtimes/claude/hooks.js';
import { fixedHalf, mayPark } from '../../../src/runtimes/claude/parking.js';
import { PresetRule } from '../../../src/runtimes/claude/tool-preset.js';
import type { Launch } from '../../../src/runtimes/runtime.js';

const launch: Launch = {
  cwd: '/work',
  conversationId: 'thr_1',
  fork: false,
  permissionMode: 'default',
  toolPreset: 'full',
  limits: {},
  checkpointing: false,
  settingSources: ['user', 'project'],
  projectCode: { files: [] },
  mcpServers: {},
  betas: [],
  debug: false,
  env: { PATH: '/bin', HOME: '/home/me' },
  stateDir: '/state',
};

function options(
  changed: Partial<Launch> = {},
  wiring: { append?: string; settings?: Options['settings'] } = {},
) {
  const at = { ...launch, ...changed };
  return claudeOptions(at, {
    preset: new PresetRule(at.toolPreset, []),
    servers: { handraise: { type: 'stdio', command: 'x' } },
    hooks: lateHooks(() => ({})),
    canUseTool: async () => ({ behavior: 'deny', message: '' }),
    onElicitation: async () => ({ action: 'decline' }),
    spawn: () => {
      throw new Error('nothing is started here');
    },
    stderr: () => {},
    env: claudeEnv(at, { HANDRAISE_RUN: '1.2' }),
    append: wiring.append,
    settings: typeof wiring.settings === 'object' ? wiring.settings : {},
    plugin: undefined,
  });
}

const comesWithTheClaim: readonly [string, Options][] = [
  ['another folder', options({ cwd: '/elsewhere' })],
  ['a model', options({ model: 'm' })],
  ['another mode', options({ permissionMode: 'plan' })],
  ['instructions', options({}, { append: 'Be brief.' })],
  ['another thread', options({ conversationId: 'thr_2', targetBranch: 'main' })],
  ['the same variables in another order', options({ env: { HOME: '/home/me', PATH: '/bin' } })],
  ['a variable that the agent never sees', options({ env: { ...launch.env, HANDRAISE_SPARE_OF: '1' } })],
];

test.for(comesWithTheClaim)('fits: %s', ([, other]) => {
  expect(fixedHalf(other, [])).toBe(fixedHalf(options(), []));
});

const fixed: readonly [string, Options][] = [
  ['another preset', options({ toolPreset: 'read-only' })],
  ['another variable', options({ env: { ...launch.env, TOKEN: 'x' } })],
  ['a variable less', options({ env: { PATH: '/bin' } })],
  ['another value', options({ env: { ...launch.env, HOME: '/home/you' } })],
  ['a sandbox, in which a mode may be changed later', options({ env: { ...launch.env, IS_SANDBOX: '1' } })],
  ['other sources of settings', options({ settingSources: [] })],
  ['settings of the project', options({}, { settings: { model: 'm' } })],
  ['checkpoints', options({ checkpointing: true })],
  ['a form of the result', options({ structuredOutput: { type: 'object' } })],
  ['fewer turns', options({ limits: { maxTurns: 1 } })],
  ['a limit to thinking', options({ limits: { maxThinkingTokens: 0 } })],
  ['betas', options({ betas: ['b'] })],
  ['another server', { ...options(), mcpServers: { handraise: { type: 'stdio', command: 'y' } } }],
  ['an option that nobody here knows yet', { ...options(), title: 'new' }],
];

test.for(fixed)('does not fit: %s', ([, other]) => {
  expect(fixedHalf(other, [])).not.toBe(fixedHalf(options(), []));
});

test.for([
  ['a new session', true, {}],
  ['one that goes on', false, { resume: 's' }],
  ['a fork', false, { fork: true }],
  ['code in the workspace', false, { projectCode: 'workspace' }],
  ['approved code', false, { projectCode: { files: [{ path: '.mcp.json', text: '{}' }] } }],
  ['servers', false, { mcpServers: { a: { command: 'x' } } }],
  ['a second model', false, { fallbackModel: 'f' }],
  ['an older parent', false, { compat: 'chatml' }],
  ['debugging', false, { debug: true }],
  ['debugging into a file', false, { debugFile: '/f' }],
] as const satisfies readonly [string, boolean, Partial<Launch>][])(
  '%s: an agent may wait: %s',
  ([, may, changed]) => {
    expect(mayPark({ ...launch, ...changed })).toBe(may);
  },
);

test('a hook of an agent that nobody took fails, so that its gate stays shut', async () => {
  const hooks = lateHooks(() => {
    throw new Error('nobody');
  });
  const [gate] = hooks.PreToolUse ?? [];
  expect(gate).toMatchObject({ onFailure: 'block' });
  const call = gate?.hooks[0]?.({} as never, undefined, { signal: new AbortController().signal });
  await expect(call).rejects.toThrow('nobody');
});
