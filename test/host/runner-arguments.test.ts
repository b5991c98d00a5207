import { expect, test } from 'vitest';
import { runnerArguments } from '../../src/host/runner-arguments.js';
import { readArguments } from '../../src/runner/arguments.js';

const placement = {
  runtime: 'claude',
  cwd: '/',
  conversationId: 'thr_1',
  socket: '/tmp/s',
  spool: '/tmp/run_1',
  resume: 'session',
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
    (name) => name,
  );
  expect(files).toEqual([]);
  const read = readArguments(args, { cwd: '/', env: {}, stateDir: '/state' });
  expect(read).toMatchObject({
    kind: 'run',
    runtime: 'claude',
    detached: { socket: '/tmp/s', spool: '/tmp/run_1' },
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
    },
  });
});

test('texts too long for a command line go into files', () => {
  const mcpServers = { a: { command: 'x' } };
  const { args, files } = runnerArguments(
    { instructions: 'Be brief.', mcpServers },
    placement,
    (name) => `/launch/${name}`,
  );
  expect(args.slice(-4)).toEqual([
    '--instructions-file',
    '/launch/instructions.md',
    '--mcp-servers-file',
    '/launch/mcp-servers.json',
  ]);
  expect(files).toEqual([
    { name: 'instructions.md', content: 'Be brief.' },
    { name: 'mcp-servers.json', content: JSON.stringify({ mcpServers }) },
  ]);
});
