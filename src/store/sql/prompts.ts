import { type Selectable, sql } from 'kysely';
import { isHeldBack, isOpen, ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import type { PromptId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { fromJson, present, toJson } from './json-column.js';
import { bytesOf, idHas, readPage, type Window } from './paging.js';
import type { Reader } from './reader.js';
import type { PromptRow } from './schema.js';
import { all, change, firstRow, type Steps, withoutSteps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

// pending ─ acceptAnswer ─▶ pending, accepted ─ markDelivered ─▶ answered ─ markConsumed ─▶ answered, consumed
//    │ ▲ └─ holdAnswer ─▶ pending, held back ─ acceptAnswer ─▶ …
//    │ └──────────────────── undoAnswer ┘
//    └───── settlePrompt ─▶ cancelled │ failed         └─ settlePrompt ─▶ failed       └─ dropAnswer ─▶ answered, dropped

export function* openPrompt(tx: Transaction, { prompt }: Operation<'openPrompt'>): Steps<Changed> {
  tx.changed({ topic: 'prompt', threadId: prompt.threadId, promptId: prompt.id });
  const changed = yield* change(
    tx.build.insertInto('prompts').values({
      id: prompt.id,
      thread_id: prompt.threadId,
      kind: prompt.kind,
      state: 'pending',
      active: prompt.active ? 1 : 0,
      questions: JSON.stringify(prompt.questions),
      action: toJson(prompt.action),
      fingerprint: prompt.fingerprint,
      deadline: prompt.deadline ?? null,
      on_unanswered: prompt.onUnanswered,
      created_at: prompt.createdAt,
      run_id: prompt.runId ?? null,
      request_id: prompt.requestId ?? null,
      tool_use_id: prompt.toolUseId ?? null,
      work: prompt.work ?? null,
      carry: toJson(prompt.carry),
      project: prompt.keys?.project ?? null,
      same_key: prompt.keys?.same ?? null,
      similar_key: prompt.keys?.similar ?? null,
    }),
  );
  return { changed };
}

export function* patchPrompt(tx: Transaction, { promptId, patch }: Operation<'patchPrompt'>): Steps<Changed> {
  const { active, runId, requestId, toolUseId, work, askedSeq, fingerprint } = patch;
  const prompt = yield* existingPrompt(tx, promptId);
  if (active === true && !isOpen(prompt)) throw new UnitRefused({ prompt });
  yield* updatePrompt(tx, prompt, {
    ...(active !== undefined && { active: active ? 1 : 0 }),
    ...(runId !== undefined && { run_id: runId }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    ...(work !== undefined && { work }),
    ...(askedSeq !== undefined && { asked_seq: askedSeq }),
    ...(fingerprint !== undefined && { fingerprint }),
  });
  return { changed: 1 };
}

export function* holdAnswer(tx: Transaction, operation: Operation<'holdAnswer'>): Steps<ThreadPrompt> {
  const prompt = yield* existingPrompt(tx, operation.promptId);
  if (!isOpen(prompt) || isHeldBack(prompt)) throw new UnitRefused({ prompt });
  return yield* updatePrompt(tx, prompt, {
    answers: toJson(operation.answers),
    answer: toJson(operation.answer),
    actor: operation.actor,
    undo_until: operation.undoUntil,
  });
}

export function* undoAnswer(tx: Transaction, { promptId }: Operation<'undoAnswer'>): Steps<ThreadPrompt> {
  const prompt = yield* existingPrompt(tx, promptId);
  if (!isHeldBack(prompt)) throw new UnitRefused({ prompt });
  return yield* updatePrompt(tx, prompt, noAnswer);
}

export function* acceptAnswer(tx: Transaction, operation: Operation<'acceptAnswer'>): Steps<ThreadPrompt> {
  const prompt = yield* existingPrompt(tx, operation.promptId);
  if (!isOpen(prompt)) throw new UnitRefused({ prompt });
  return yield* updatePrompt(tx, prompt, {
    active: 0,
    answers: toJson(operation.answers),
    answer: toJson(operation.answer),
    actor: operation.actor,
    undo_until: null,
    accepted_at: operation.at,
  });
}

export function* markDelivered(
  tx: Transaction,
  { promptId, at }: Operation<'markDelivered'>,
): Steps<ThreadPrompt> {
  const prompt = yield* existingPrompt(tx, promptId);
  if (prompt.state !== 'pending' || prompt.acceptedAt === undefined) throw new UnitRefused({ prompt });
  return yield* updatePrompt(tx, prompt, { state: 'answered', delivered_at: at });
}

export function* markConsumed(
  tx: Transaction,
  { promptId, at }: Operation<'markConsumed'>,
): Steps<ThreadPrompt> {
  const prompt = yield* existingPrompt(tx, promptId);
  const delivered = prompt.state === 'answered' && prompt.deliveredAt !== undefined;
  if (!delivered || prompt.consumedAt !== undefined) throw new UnitRefused({ prompt });
  return yield* updatePrompt(tx, prompt, { consumed_at: at });
}

export function* unmarkConsumed(tx: Transaction, { promptId }: Operation<'unmarkConsumed'>): Steps<Changed> {
  const prompt = yield* existingPrompt(tx, promptId);
  if (prompt.consumedAt === undefined) throw new UnitRefused({ prompt });
  yield* updatePrompt(tx, prompt, { consumed_at: null });
  return { changed: 1 };
}

export function* markTold(tx: Transaction, { promptId }: Operation<'markTold'>): Steps<Changed> {
  const prompt = yield* existingPrompt(tx, promptId);
  if (!prompt.isUntold) throw new UnitRefused({ prompt });
  yield* updatePrompt(tx, prompt, { untold: 0 });
  return { changed: 1 };
}

export function* dropAnswer(tx: Transaction, { promptId }: Operation<'dropAnswer'>): Steps<Changed> {
  const prompt = yield* existingPrompt(tx, promptId);
  if (prompt.state !== 'answered' || prompt.consumedAt !== undefined) throw new UnitRefused({ prompt });
  yield* updatePrompt(tx, prompt, { dropped: 1 });
  return { changed: 1 };
}

export function* settlePrompt(tx: Transaction, operation: Operation<'settlePrompt'>): Steps<ThreadPrompt> {
  const { promptId, state, reason, actor, isUntold = false } = operation;
  const prompt = yield* existingPrompt(tx, promptId);
  const possible = state === 'cancelled' ? isOpen(prompt) : prompt.state === 'pending';
  if (!possible) throw new UnitRefused({ prompt });
  return yield* updatePrompt(tx, prompt, {
    // An answer that could still be undone never counted.
    ...(isHeldBack(prompt) && noAnswer),
    state,
    reason,
    active: 0,
    untold: isUntold ? 1 : 0,
    ...(actor !== undefined && { actor }),
  });
}

const noAnswer = { answers: null, answer: null, actor: null, undo_until: null };

export function* readPrompt(reader: Reader, { id }: InputOf<'prompt'>): Steps<ThreadPrompt | null> {
  const row = yield* firstRow(
    reader.build
      .selectFrom('prompts')
      .selectAll()
      .where('id', '=', id)
      .$if(reader.locksRows, (query) => query.forUpdate()),
  );
  return row ? promptOf(row) : null;
}

export function* readPrompts(reader: Reader, request: InputOf<'prompts'>): Steps<Page<ThreadPrompt>> {
  const { threadId, state, open, own, untold, unused, givenUp, heldBack, deadlineBefore } = request;
  const { answeredIn } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('prompts')
      .where('n', compare, cursor)
      .where(idHas(reader, request))
      .$if(threadId !== undefined, (query) => query.where('thread_id', '=', threadId ?? ''))
      .$if(own === true, (query) => query.where(reader.isOwnThread('prompts.thread_id')))
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
      .$if(deadlineBefore !== undefined, (query) => query.where('deadline', '<=', deadlineBefore ?? ''))
      .$if(answeredIn !== undefined, (query) =>
        query.where('project', '=', answeredIn ?? '').where(isAnsweredByPerson),
      )
      .$if(untold === true, (query) => query.where('untold', '=', 1))
      .$if(unused === true, (query) =>
        query.where('state', '=', 'answered').where('consumed_at', 'is', null).where('dropped', '=', 0),
      )
      .$if(givenUp === true, (query) => query.where('reason', '=', sql.lit<string>('server_gave_up')))
      .$if(heldBack === true, (query) =>
        query.where('undo_until', 'is not', null).where('state', '=', 'pending'),
      )
      .$if(open === true, (query) => query.where('state', '=', 'pending').where('accepted_at', 'is', null))
      .$if(open === false, (query) =>
        query.where((its) => its.or([its('state', '<>', 'pending'), its('accepted_at', 'is not', null)])),
      )
      .orderBy('n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) =>
      rows(window).select(bytesOf('questions', 'action', 'answers', 'answer', 'reason', 'carry')),
    records: (found) => withoutSteps(found.map(promptOf)),
  });
}

/** An answer counts once it was accepted; an actor of another kind is a policy. */
const isAnsweredByPerson = sql<boolean>`actor like 'user:%' and accepted_at is not null and state in ('pending', 'answered')`;

export function* readPrecedents(
  reader: Reader,
  input: InputOf<'precedents'>,
): Steps<readonly ThreadPrompt[]> {
  const { keys, except, limit } = input;
  const newest = (most: number) =>
    reader.build
      .selectFrom('prompts')
      .selectAll()
      .where('project', '=', keys.project)
      .where('id', '<>', except)
      .where(isAnsweredByPerson)
      .orderBy('n', 'desc')
      .limit(most);
  const same = yield* all(newest(limit).where('same_key', '=', keys.same));
  const { similar } = keys;
  const left = limit - same.length;
  if (similar === undefined || left === 0) return same.map(promptOf);
  const alike = newest(left).where('similar_key', '=', similar).where('same_key', '<>', keys.same);
  return [...same, ...(yield* all(alike))].map(promptOf);
}

function* existingPrompt(tx: Transaction, id: PromptId): Steps<ThreadPrompt> {
  const prompt = yield* readPrompt(tx, { id });
  if (!prompt) throw new UnitRefused(null);
  return prompt;
}

function* updatePrompt(
  tx: Transaction,
  prompt: ThreadPrompt,
  columns: Partial<PromptColumns>,
): Steps<ThreadPrompt> {
  const { id, threadId } = prompt;
  if (Object.keys(columns).length === 0) return prompt;
  yield* change(tx.build.updateTable('prompts').set(columns).where('id', '=', id));
  tx.changed({ topic: 'prompt', threadId, promptId: id });
  return yield* existingPrompt(tx, id);
}

type PromptColumns = Omit<Selectable<PromptRow>, 'n' | 'id'>;

function promptOf(row: Selectable<PromptRow>): ThreadPrompt {
  return ThreadPrompt.parse(
    present({
      id: row.id,
      threadId: row.thread_id,
      kind: row.kind,
      state: row.state,
      active: row.active === 1,
      questions: fromJson(row.questions),
      action: fromJson(row.action),
      fingerprint: row.fingerprint,
      answers: fromJson(row.answers),
      answer: fromJson(row.answer),
      actor: row.actor,
      reason: row.reason,
      deadline: row.deadline,
      onUnanswered: row.on_unanswered,
      undoUntil: row.undo_until,
      acceptedAt: row.accepted_at,
      deliveredAt: row.delivered_at,
      consumedAt: row.consumed_at,
      createdAt: row.created_at,
      runId: row.run_id,
      requestId: row.request_id,
      toolUseId: row.tool_use_id,
      askedSeq: row.asked_seq,
      work: row.work,
      carry: fromJson(row.carry),
      isUntold: row.untold === 1 ? true : null,
      keys:
        row.project === null || row.same_key === null
          ? null
          : present({ project: row.project, same: row.same_key, similar: row.similar_key }),
    }),
  );
}
