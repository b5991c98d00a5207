import { expect, test } from 'vitest';
import type { Agent } from './agent.js';
import { Verdict } from './verdict.js';

const events = [
  { type: 'ready' },
  { type: 'command_accepted', commandId: 'agent-1-turn-1', command: 'message' },
  { type: 'answer_delivered', commandId: 'agent-1-turn-1-answer' },
  { type: 'result', success: true, text: 'turn 1 is done' },
  { type: 'shutdown' },
].map((event, index) => ({ ...event, seq: index + 1, runSeq: index + 1 }));

const good = {
  number: 1,
  ending: 'signal',
  runId: 'run_1',
  turns: [
    { number: 1, commandId: 'agent-1-turn-1', content: '', question: { text: 'Go on?', answer: 'Yes' } },
  ],
  written: () => [1],
  identities: ['7 since 8', '7 since 8'],
  events,
  runs: [
    {
      id: 'run_1',
      process: { pid: 7, startTime: '8' },
      lastRunSeq: 5,
      endedAt: 'then',
      killIntent: { reason: 'test' },
      exit: {},
    },
  ],
};
const sight = { fresh: [1], remembered: [1], results: new Map([['call', 'answered: "Go on?"="Yes"']]) };

function judge(agent: Partial<Record<keyof Agent, unknown>>, seen: Partial<typeof sight> = {}) {
  const verdict = new Verdict();
  verdict.judge({ ...good, ...agent } as unknown as Agent, { ...sight, ...seen });
  const { violations, lost, doubled } = verdict;
  return { violations, lost, doubled };
}

test('finds nothing where all is well', () => {
  expect(judge({})).toEqual({ violations: [], lost: 0, doubled: 0 });
});

test.each([
  ['a number that is missing on the disk', judge({ written: () => [] }), [1, 0]],
  ['a tool that ran twice', judge({ written: () => [1, 1] }), [0, 1]],
  ['a prompt that the model saw twice', judge({}, { fresh: [1, 1] }), [0, 1]],
  ['an answer that never reached the model', judge({}, { results: new Map() }), [1, 0]],
  ['a runner that is another one', judge({ identities: ['7 since 8', '9 since 9'] }), [0, 0]],
  ['a run that nobody said to have ended', judge({ ending: 'command' }), [2, 2]],
])('finds %s', (_what, { violations, lost, doubled }, counts) => {
  expect(violations.length).toBeGreaterThan(0);
  expect([lost, doubled]).toEqual(counts);
});

test('finds what is missing in the store, and what must not be there', () => {
  const [ready, ...others] = events;
  expect(judge({ events: others, runs: [] }).violations).toHaveLength(4);
  const interrupted = { type: 'interrupted', seq: 6, runSeq: 6 };
  const runs = [{ ...good.runs[0], lastRunSeq: 6 }];
  expect(judge({ events: [...events, interrupted], runs })).toEqual({
    violations: [`agent 1: ${JSON.stringify(interrupted)}`],
    lost: 0,
    doubled: 0,
  });
  expect(judge({ events: [...events, { ...ready, seq: 6, runSeq: 6 }], runs }).violations).toHaveLength(1);
});
