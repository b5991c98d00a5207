import { expect, test } from 'vitest';
import { containerEnd } from '../../../src/domain/container/container-end.js';

const client = { exitCode: 137, signal: null };
const ended = (exitCode: number, oomKilled = false) => ({
  isRunning: false,
  hasBegun: true,
  exitCode,
  oomKilled,
});

test.each([
  ['the agent was out of memory, by the count', ended(137, true), 1, 0, 'SIGKILL', true],
  ['and where the engine does not set its flag', ended(137), 1, 0, 'SIGKILL', true],
  ['and where there is no count', ended(137, true), null, 0, 'SIGKILL', true],
  ['a child was, earlier; then somebody killed the agent', ended(137, true), 1, 1, 'SIGKILL', false],
  ['somebody killed it', ended(137), 0, 0, 'SIGKILL', false],
  ['a child was, and the agent ended by itself', ended(0, true), 1, 0, null, false],
  ['a child was, and the agent was asked to end', ended(143, true), 1, 0, 'SIGTERM', false],
] as const)('%s', (_name, state, kills, survived, signal, oom) => {
  expect(containerEnd({ client, state, kills, survived })).toEqual({
    exitCode: signal === null ? state.exitCode : null,
    signal,
    oom,
  });
});

test('what the engine does not know is what its client says', () => {
  const killed = { exitCode: null, signal: 'SIGKILL' };
  const running = { isRunning: true, hasBegun: true, exitCode: 0, oomKilled: true };
  const neverBegun = { isRunning: false, hasBegun: false, exitCode: 0, oomKilled: false };
  for (const state of [null, running, neverBegun])
    expect(containerEnd({ client: killed, state, kills: 1, survived: 0 })).toEqual({ ...killed, oom: false });
});
