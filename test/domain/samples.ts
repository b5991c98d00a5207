import type { ThreadPrompt } from '../../src/domain/prompts/thread-prompt.js';
import { noFacts, type RunFacts } from '../../src/domain/run/run-facts.js';
import { applyEvidence, noSigns } from '../../src/domain/status/agent-signs.js';
import type { EventBody } from '../../src/protocol/event.js';
import { DispatchId, PromptId, RunId, ThreadId } from '../../src/protocol/id.js';
import type { StatusFact } from '../../src/protocol/status.js';

/** Ids that read well in a table. */
const digits = (name: string | number) => String(name).toUpperCase().padStart(26, '0').slice(-26);
export const runId = (name: string | number) => RunId.parse(`run_${digits(name)}`);
export const dispatchId = (name: string | number) => DispatchId.parse(`dsp_${digits(name)}`);
export const promptId = (name: string | number) => PromptId.parse(`prm_${digits(name)}`);
export const threadId = ThreadId.parse(`thr_${digits(1)}`);

/** A second of one day. */
export const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** The message that carries the answer to a prompt, as the tests name it. */
export const answerUuid = (id: PromptId) => `answer ${id}`;
export const askAgainUuid = (id: PromptId, run: RunId) => `ask ${id} again in ${run}`;

/** Facts that differ from none in a few fields. */
export const facts = (known: Partial<RunFacts> = {}): RunFacts => ({ ...noFacts, ...known });

/** The signs after these facts, one a second. */
export const signs = (...seen: StatusFact[]) =>
  seen.reduce(
    (before, fact, index) =>
      applyEvidence(before, { fact, source: 'test', confidence: 'strong', at: at(index + 1) }),
    noSigns,
  );

/** An agent whose turn has ended. */
export const resting = signs('turn_started', 'turn_ended');
/** An agent in the middle of a turn. */
export const working = signs('turn_started');

export const result = (fields: Partial<EventBody<'result'>> = {}): EventBody<'result'> => ({
  type: 'result',
  success: true,
  subtype: 'success',
  cost: 0.5,
  turns: 1,
  usage: null,
  stats: {
    toolCalls: 0,
    toolsByType: {},
    subAgents: 0,
    filesRead: 0,
    filesWritten: 0,
    bashCommands: 0,
    webSearches: 0,
    totalToolDurationMs: 0,
  },
  origin: 'message',
  ...fields,
});

/** The last turn of a run that has succeeded. */
export const succeeded = (() => {
  const { type: _type, usage: _usage, ...turn } = result({ text: 'done' });
  return turn;
})();

/** A prompt that run 1 asked, open and active unless said otherwise. */
export const prompt = (fields: Partial<ThreadPrompt> = {}): ThreadPrompt => ({
  id: promptId(1),
  threadId,
  kind: 'text',
  state: 'pending',
  active: true,
  questions: [{ question: 'Which?', multiSelect: false, options: [] }],
  fingerprint: 'f1',
  onUnanswered: 'wait',
  createdAt: at(10),
  runId: runId(1),
  requestId: 'req_1',
  toolUseId: 'toolu_1',
  ...fields,
});

/** The same once somebody has answered. */
export const accepted = (fields: Partial<ThreadPrompt> = {}): ThreadPrompt =>
  prompt({
    active: false,
    actor: 'user:owner',
    acceptedAt: at(20),
    answers: [{ question: 'Which?', answer: ['this'] }],
    ...fields,
  });

/** The same once the agent has taken the answer. */
export const delivered = (fields: Partial<ThreadPrompt> = {}): ThreadPrompt =>
  accepted({ state: 'answered', deliveredAt: at(21), ...fields });
