import { expect, it } from 'vitest';
import { arbitrate } from '../../../src/domain/status/status-arbiter.js';
import { statusWords, waitingWords } from '../../../src/domain/words/status-words.js';
import { PromptId } from '../../../src/protocol/id.js';
import type { AgentExit } from '../../../src/protocol/run.js';
import type { AgentStatus } from '../../../src/protocol/status.js';

const at = '2026-01-01T09:00:00.000Z';
const witness = { source: 'host', confidence: 'authoritative' } as const;
const prompt = { id: PromptId.parse('prm_01k9y000000000000000000000'), text: 'Which port?', since: at };
const killed: AgentExit = { exitCode: null, signal: 'SIGKILL', oom: false };
const ended = (exit: AgentExit, intent?: string) => ({
  exit,
  at,
  isRunnerLost: false,
  ...(intent === undefined ? {} : { intent }),
});

it('says in its own words what the arbiter records', () => {
  const situation = { run: null, end: null, prompt: null };
  expect(statusWords(arbitrate(situation))).toBe('not started yet');
  expect(waitingWords(arbitrate({ ...situation, prompt, end: ended(killed, 'parked') }))).toBe(
    'sleeping, your answer wakes it',
  );
  expect(waitingWords(arbitrate({ ...situation, prompt, end: ended(killed) }))).toBe(
    "the agent's process ended; your answer restarts it",
  );
  expect(statusWords(arbitrate({ ...situation, end: ended(killed) }))).toBe(
    "the agent's process ended by SIGKILL",
  );
});

it.each<[AgentStatus, string]>([
  [{ state: 'crashed', exitCode: 3 }, "the agent's process ended with exit code 3"],
  [{ state: 'crashed', exitCode: null }, "the agent's process ended (cause unknown)"],
  [{ state: 'oomKilled' }, "the agent's process ran out of memory"],
  [{ state: 'idle' }, 'as recorded'],
])('%j: %s', (status, words) => {
  expect(statusWords({ ...status, ...witness, why: 'as recorded' })).toBe(words);
});

it('tells a process that is kept from one that sleeps', () => {
  const held = { state: 'question', since: at, held: true } as const;
  expect(waitingWords({ ...held, ...witness, why: 'w' })).toBe('waiting, process kept');
  expect(waitingWords({ state: 'idle', ...witness, why: 'w' })).toBe('');
});
