import { expect, test } from 'vitest';
import { type ParkingStep, parkingStep } from '../../../src/domain/run/parking-step.js';
import { accepted, facts, prompt, promptId, resting, runId, working } from '../samples.js';

const session = { state: 'open', id: 's' } as const;
const asking = facts({ session, signs: working });
const keep = { do: 'keep' } as const;
const park = { do: 'park', requestId: 'req_1' } as const;
const inFile = () => {
  const { requestId: _none, toolUseId: _neither, ...left } = prompt();
  return left;
};

test.each<[string, Partial<Parameters<typeof parkingStep>[0]>, ParkingStep]>([
  ['an agent that does nothing but ask is parked', {}, park],
  ['a runtime that cannot resume keeps its process', { canResume: false }, keep],
  ['without a session nothing could be resumed', { facts: facts({ signs: working }) }, keep],
  ['with a session that is lost neither', { facts: facts({ session: { state: 'lost', id: 's' } }) }, keep],
  [
    'who is to hear that nobody answered must be there then',
    { prompts: [prompt({ onUnanswered: 'deny' })] },
    keep,
  ],
  [
    'who has heard it may go',
    {
      prompts: [
        accepted({ id: promptId(2), requestId: 'req_2', state: 'answered', onUnanswered: 'deny' }),
        prompt(),
      ],
    },
    park,
  ],
  ['an answer that is on its way must arrive first', { prompts: [accepted()] }, keep],
  [
    'also if another question is open',
    { prompts: [prompt(), accepted({ id: promptId(2), requestId: 'req_2' })] },
    keep,
  ],
  [
    'the question that is open is parked, not one that has its answer and waits for the end of its turn',
    {
      prompts: [
        accepted({ deliveredAt: '2026-01-02T03:04:06.000Z', state: 'answered' }),
        prompt({ id: promptId(2), requestId: 'req_2' }),
      ],
    },
    { do: 'park', requestId: 'req_2' },
  ],
  [
    'what was approved is done first',
    {
      prompts: [
        accepted({
          id: promptId(2),
          kind: 'approval',
          answers: [{ question: 'May I?', answer: ['Approve'] }],
          deliveredAt: '2026-01-02T03:04:06.000Z',
          state: 'answered',
        }),
        prompt(),
      ],
    },
    keep,
  ],
  ['a request of an earlier run is not there to be parked', { prompts: [prompt({ runId: runId(9) })] }, keep],
  ['no request, nothing to park', { prompts: [] }, keep],
  [
    'a question in a file: the process simply ends',
    { facts: facts({ signs: resting }), prompts: [inFile()] },
    { do: 'end' },
  ],
  ['not while the agent still works', { facts: facts({ signs: working }), prompts: [inFile()] }, keep],
])('%s', (_, given, step) => {
  expect(
    parkingStep({ runId: runId(1), facts: asking, prompts: [prompt()], canResume: true, ...given }),
  ).toEqual(step);
});
