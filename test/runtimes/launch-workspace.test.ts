import { expect, test } from 'vitest';
import { launchWorkspace } from '../../src/runtimes/launch-workspace.js';
import type { Launch } from '../../src/runtimes/runtime.js';
import { workspaceTools } from '../../src/workspace-tools/index.js';

const launch: Launch = {
  cwd: '/work',
  conversationId: 'one',
  fork: false,
  permissionMode: 'default',
  toolPreset: 'full',
  limits: {},
  checkpointing: false,
  settingSources: [],
  projectCode: 'workspace',
  mcpServers: {},
  betas: [],
  debug: false,
  env: {},
  stateDir: '/state',
};
const linear = ['get_linear_context', 'start_linear_issue', 'update_linear_status'];

test.each<[string, Partial<Launch>, readonly string[]]>([
  ['over stdio', {}, linear],
  ['under the worker', { isUnderWorker: true }, []],
  ['under the worker, with an issue', { isUnderWorker: true, linearIssue: 'LIN-1' }, linear],
  ['under the worker, with a key', { isUnderWorker: true, env: { LINEAR_API_KEY: 'k' } }, linear],
  ['under the worker, with an empty key', { isUnderWorker: true, env: { LINEAR_API_KEY: '' } }, []],
])('the tools for Linear are offered where they are of use: %s', (_name, fields, expected) => {
  const host = { now: () => 0, newUuid: () => 'u', ask: () => Promise.reject(new Error('nobody')) };
  const workspace = launchWorkspace({ ...launch, ...fields }, host, () => null);
  const names = workspaceTools(workspace).map(({ name }) => name);
  expect(names.filter((name) => name.includes('linear'))).toEqual(expected);
  expect(names).toContain('get_session_status');
});
