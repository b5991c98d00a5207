import type { NewPrompt } from '../../../src/domain/prompts/thread-prompt.js';
import { type IdKind, newId } from '../../../src/protocol/id.js';
import type { Outcome } from '../../../src/protocol/outcome.js';
import type { StatusReport } from '../../../src/protocol/status.js';
import type { Operation } from '../../../src/store/operation.js';
import type { Store } from '../../../src/store/store.js';
import type { NewDispatch } from '../../../src/store/stored-dispatch.js';
import type { NewEvent } from '../../../src/store/stored-event.js';
import type { NewRun } from '../../../src/store/stored-run.js';
import type { NewThread } from '../../../src/store/stored-thread.js';
import type { CommitResult, Unit } from '../../../src/store/unit.js';

let made = 0;

/** An id that no other call has given. */
export function id<Kind extends IdKind>(kind: Kind) {
  made += 1;
  const number = made;
  return newId(kind, {
    now: () => number,
    randomBytes: (length) => Uint8Array.from({ length }, (_, index) => number >> (index % 4)),
  });
}

/** A time, that many seconds after the beginning of the test's world. */
export function at(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
}

export const idle: StatusReport = {
  state: 'idle',
  why: 'the turn ended',
  source: 'runner',
  confidence: 'strong',
};

export const succeeded: Outcome = {
  result: 'succeeded',
  exitCode: 0,
  retriable: false,
  execution: { kind: 'completed' },
  claim: 'success',
  verification: 'not_run',
};

export function newThread(given: Partial<NewThread> = {}): NewThread {
  const threadId = id('thread');
  return {
    id: threadId,
    title: 'A thread',
    runtime: 'claude',
    workspace: { path: `/workspace/${threadId}` },
    status: { state: 'initializing', why: 'launched', source: 'worker', confidence: 'authoritative' },
    createdAt: at(0),
    launch: { permissions: 'approval', posture: {} },
    ...given,
  };
}

export function newRun(threadId: NewThread['id'], given: Partial<NewRun> = {}): NewRun {
  return { id: id('run'), threadId, runtime: 'claude', posture: { model: 'm' }, startedAt: at(1), ...given };
}

export function newDispatch(threadId: NewThread['id'], given: Partial<NewDispatch> = {}): NewDispatch {
  return {
    id: id('dispatch'),
    threadId,
    text: 'Do it.',
    actor: 'user:owner',
    state: 'queued',
    priority: 0,
    request: { text: 'Do it.', thread: threadId },
    createdAt: at(2),
    ...given,
  };
}

export function newPrompt(threadId: NewThread['id'], given: Partial<NewPrompt> = {}): NewPrompt {
  return {
    id: id('prompt'),
    threadId,
    kind: 'ask_user_question',
    active: false,
    questions: [{ question: 'Where?', multiSelect: false, options: [{ label: 'here' }, { label: 'there' }] }],
    fingerprint: 'f',
    onUnanswered: 'wait',
    createdAt: at(3),
    ...given,
  };
}

/** Event number `runSeq` of a run. */
export function newEvent(runSeq: number, text = `text ${runSeq}`): NewEvent {
  const timestamp = at(runSeq);
  return {
    type: 'assistant_text',
    timestamp,
    runSeq,
    json: JSON.stringify({ type: 'assistant_text', content: text, timestamp, runSeq }),
  };
}

/** Commits what must not be refused and gives the results. */
export async function done<const Operations extends readonly Operation[]>(
  store: Store,
  operations: Operations,
  fence: Omit<Unit, 'operations'> = {},
): Promise<Extract<CommitResult<Operations>, { committed: true }>['results']> {
  const result = await store.commit({ operations, ...fence });
  if (!result.committed) throw new Error(`refused: ${JSON.stringify(result.refusal)}`);
  return result.results;
}

/** Commits what must be refused and gives the refusal. */
export async function refused(store: Store, unit: Unit) {
  const result = await store.commit(unit);
  if (result.committed) throw new Error('committed, but should have been refused');
  return result.refusal;
}

/** A thread that is in the store. */
export async function aThread(store: Store, given: Partial<NewThread> = {}): Promise<NewThread> {
  const thread = newThread(given);
  await done(store, [{ do: 'insertThread', thread }]);
  return thread;
}

/** A run that is in the store. */
export async function aRun(store: Store, threadId: NewThread['id'], given: Partial<NewRun> = {}) {
  const run = newRun(threadId, given);
  await done(store, [{ do: 'insertRun', run }]);
  return run;
}

/** A dispatch that is in the store. */
export async function aDispatch(store: Store, threadId: NewThread['id'], given: Partial<NewDispatch> = {}) {
  const dispatch = newDispatch(threadId, given);
  await done(store, [{ do: 'insertDispatch', dispatch }]);
  return dispatch;
}

/** A prompt that is in the store. */
export async function aPrompt(store: Store, threadId: NewThread['id'], given: Partial<NewPrompt> = {}) {
  const prompt = newPrompt(threadId, given);
  await done(store, [{ do: 'openPrompt', prompt }]);
  return prompt;
}
