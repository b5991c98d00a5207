import { expect, it } from 'vitest';
import { askingDispatch } from '../../../src/host/telemetry/asking-dispatch.js';
import type { StoredDispatch } from '../../../src/store/stored-dispatch.js';
import { at, id, newDispatch, newPrompt } from '../../contract/store/records.js';

const threadId = id('thread');
const run = id('run');
const otherRun = id('run');
const prompt = newPrompt(threadId, { createdAt: at(10), runId: run });

type Tried = Pick<StoredDispatch, 'text'> & Partial<StoredDispatch>;
const dispatch = (given: Tried): StoredDispatch => ({ ...newDispatch(threadId), attempts: [], ...given });
const tried = (seconds: number, ...runIds: readonly (typeof run)[]) => [
  { runIds: [...runIds], startedAt: at(seconds), activeMs: 0 },
];

it.each<readonly [string, readonly Tried[], string | undefined]>([
  ['there is none', [], undefined],
  [
    'newer work waits in the thread',
    [
      { text: 'waits', createdAt: at(5) },
      { text: 'asks', state: 'running', createdAt: at(1), attempts: tried(2, run) },
    ],
    'asks',
  ],
  [
    'the run went on with the next work before the question was settled',
    [
      { text: 'next', state: 'running', createdAt: at(3), attempts: tried(12, run) },
      { text: 'asks', state: 'ended', createdAt: at(1), attempts: tried(2, run) },
    ],
    'asks',
  ],
  [
    'the run did other work before',
    [
      { text: 'before', state: 'ended', createdAt: at(1), attempts: tried(2, run) },
      { text: 'asks', state: 'waiting', createdAt: at(3), attempts: tried(4, run) },
    ],
    'asks',
  ],
  [
    'a later try has another run',
    [
      { text: 'other', state: 'running', createdAt: at(3), attempts: tried(4, otherRun) },
      { text: 'asks', state: 'queued', createdAt: at(1), attempts: tried(2, run) },
    ],
    'asks',
  ],
  [
    'no try knows the run',
    [
      { text: 'later', state: 'running', createdAt: at(3), attempts: tried(11) },
      { text: 'asks', state: 'ended', createdAt: at(1), attempts: tried(2) },
    ],
    'asks',
  ],
  [
    'it is asked before the first try',
    [
      { text: 'later', state: 'waiting', createdAt: at(11) },
      { text: 'waits', state: 'queued', createdAt: at(5) },
      { text: 'asks', state: 'waiting', createdAt: at(1) },
    ],
    'asks',
  ],
  [
    'it decides about what failed',
    [
      { text: 'other', state: 'running', createdAt: at(3), attempts: tried(4, run) },
      { text: 'asks', state: 'waiting', createdAt: at(1), attempts: tried(2), decision: prompt.id },
    ],
    'asks',
  ],
])('finds the work that a question belongs to where %s', (_, dispatches, expected) => {
  expect(askingDispatch(prompt, dispatches.map(dispatch))?.text).toBe(expected);
});
