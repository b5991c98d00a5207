import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runnerArguments } from '../../../src/host/runs/runner-arguments.js';
import { readArguments } from '../../../src/runner/arguments.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-arguments-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secret = 'a secret of at least 32 characters';
const placement = {
  runtime: 'claude',
  cwd: '/',
  conversationId: 'thr_1',
  socket: '/tmp/s',
  spool: '/tmp/run_1',
  resume: 'session',
  secret,
  epoch: 7,
  idleLimitMs: 900_000,
  containers: '/tmp/containers',
  projectCode: [],
} as const;

test('a posture becomes arguments that the runner reads back as the same posture', () => {
  const posture = {
    permissionMode: 'plan',
    toolPreset: 'safe-edit',
    model: 'm',
    fallbackModel: 'f',
    checkpointing: true,
    structuredOutput: { type: 'object' },
    maxTurns: 3,
    maxThinkingTokens: 0,
    settingSources: ['user'],
    betas: ['a', 'b'],
    linearIssue: 'LIN-1',
    targetBranch: 'main',
    debug: true,
  } as const;
  const { args, files } = runnerArguments(
    { ...posture, settingSources: ['user'], betas: ['a', 'b'] },
    placement,
    (name) => join(folder, name),
  );
  expect(files).toEqual([{ name: 'secret', content: secret }]);
  writeFileSync(join(folder, 'secret'), secret);
  const read = readArguments(args, { cwd: '/', env: {}, stateDir: '/state' });
  expect(read).toMatchObject({
    kind: 'run',
    runtime: 'claude',
    detached: { socket: '/tmp/s', spool: '/tmp/run_1', secret, epoch: 7, idleLimitMs: 900_000 },
    launch: {
      cwd: '/',
      conversationId: 'thr_1',
      resume: 'session',
      permissionMode: 'plan',
      toolPreset: 'safe-edit',
      model: 'm',
      fallbackModel: 'f',
      checkpointing: true,
      structuredOutput: { type: 'object' },
      limits: { maxTurns: 3, maxThinkingTokens: 0 },
      settingSources: ['user'],
      betas: ['a', 'b'],
      linearIssue: 'LIN-1',
      targetBranch: 'main',
      debug: true,
      projectCode: { files: [] },
    },
  });
  // An agent could read it, and answer itself with it.
  expect(existsSync(join(folder, 'secret'))).toBe(false);
});

test('texts too long for a command line go into files', () => {
  const mcpServers = { a: { command: 'x' } };
  const approved = [{ path: '.mcp.json', text: '{}' }];
  const { args, files } = runnerArguments(
    { instructions: 'Be brief.', mcpServers },
    { ...placement, projectCode: approved },
    (name) => `/launch/${name}`,
  );
  expect(args).toContain('--no-project-code');
  expect(args.slice(-6)).toEqual([
    '--instructions-file',
    '/launch/instructions.md',
    '--project-code-file',
    '/launch/project-code.json',
    '--mcp-servers-file',
    '/launch/mcp-servers.json',
  ]);
  expect(files.slice(1)).toEqual([
    { name: 'instructions.md', content: 'Be brief.' },
    { name: 'project-code.json', content: JSON.stringify({ files: approved }) },
    { name: 'mcp-servers.json', content: JSON.stringify({ mcpServers }) },
  ]);
});
