import type { Selectable } from 'kysely';
import type { PromptId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import type { PromptRow } from '../schema.js';
import { StoredPrompt } from '../stored-prompt.js';
import type { Connection } from './connection.js';
import { fromJson, present, toJson } from './json-column.js';
import { prefixRange, readPage } from './paging.js';
import { Refused } from './refused.js';
import type { Transaction } from './transaction.js';

// pending ─ acceptAnswer ─▶ pending, accepted ─ markDelivered ─▶ answered ─ markConsumed ─▶ answered, consumed
//    └───── settlePrompt ─▶ cancelled │ failed         └─ settlePrompt ─▶ failed

export function openPrompt(tx: Transaction, { prompt }: Operation<'openPrompt'>): Changed {
  tx.changed({ topic: 'prompt', threadId: prompt.threadId, promptId: prompt.id });
  const changed = tx.connection.run(
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
      carry: toJson(prompt.carry),
    }),
  );
  return { changed };
}

export function patchPrompt(tx: Transaction, { promptId, patch }: Operation<'patchPrompt'>): Changed {
  const { active, runId, requestId, toolUseId, deadline } = patch;
  const prompt = existingPrompt(tx, promptId);
  if (active === true && !isOpen(prompt)) throw new Refused({ prompt });
  updatePrompt(tx, prompt, {
    ...(active !== undefined && { active: active ? 1 : 0 }),
    ...(runId !== undefined && { run_id: runId }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    ...(deadline !== undefined && { deadline }),
  });
  return { changed: 1 };
}

export function acceptAnswer(tx: Transaction, operation: Operation<'acceptAnswer'>): StoredPrompt {
  const prompt = existingPrompt(tx, operation.promptId);
  if (!isOpen(prompt)) throw new Refused({ prompt });
  return updatePrompt(tx, prompt, {
    active: 0,
    answers: toJson(operation.answers),
    answer: toJson(operation.answer),
    actor: operation.actor,
    accepted_at: operation.at,
  });
}

export function markDelivered(tx: Transaction, { promptId, at }: Operation<'markDelivered'>): StoredPrompt {
  const prompt = existingPrompt(tx, promptId);
  if (prompt.state !== 'pending' || prompt.acceptedAt === undefined) throw new Refused({ prompt });
  return updatePrompt(tx, prompt, { state: 'answered', delivered_at: at });
}

export function markConsumed(tx: Transaction, { promptId, at }: Operation<'markConsumed'>): StoredPrompt {
  const prompt = existingPrompt(tx, promptId);
  const delivered = prompt.state === 'answered' && prompt.deliveredAt !== undefined;
  if (!delivered || prompt.consumedAt !== undefined) throw new Refused({ prompt });
  return updatePrompt(tx, prompt, { consumed_at: at });
}

export function unmarkConsumed(tx: Transaction, { promptId }: Operation<'unmarkConsumed'>): Changed {
  const prompt = existingPrompt(tx, promptId);
  if (prompt.consumedAt === undefined) throw new Refused({ prompt });
  updatePrompt(tx, prompt, { consumed_at: null });
  return { changed: 1 };
}

export function settlePrompt(tx: Transaction, operation: Operation<'settlePrompt'>): StoredPrompt {
  const { promptId, state, reason, actor } = operation;
  const prompt = existingPrompt(tx, promptId);
  const possible = state === 'cancelled' ? isOpen(prompt) : prompt.state === 'pending';
  if (!possible) throw new Refused({ prompt });
  return updatePrompt(tx, prompt, { state, reason, active: 0, ...(actor !== undefined && { actor }) });
}

export function readPrompt(connection: Connection, { id }: InputOf<'prompt'>): StoredPrompt | null {
  const row = connection.first(connection.build.selectFrom('prompts').selectAll().where('id', '=', id));
  return row ? promptOf(row) : null;
}

export function readPrompts(connection: Connection, request: InputOf<'prompts'>): Page<StoredPrompt> {
  const { threadId, state, open, fingerprint, idPrefix, deadlineBefore } = request;
  const { from, to } = prefixRange(idPrefix);
  return readPage(connection, request, {
    select: ({ compare, cursor, direction, limit }) =>
      connection.build
        .selectFrom('prompts')
        .selectAll()
        .where('n', compare, cursor)
        .$if(idPrefix !== undefined, (query) => query.where('id', '>=', from).where('id', '<', to))
        .$if(threadId !== undefined, (query) => query.where('thread_id', '=', threadId ?? ''))
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
        .$if(fingerprint !== undefined, (query) => query.where('fingerprint', '=', fingerprint ?? ''))
        .$if(deadlineBefore !== undefined, (query) => query.where('deadline', '<=', deadlineBefore ?? ''))
        .$if(open === true, (query) => query.where('state', '=', 'pending').where('accepted_at', 'is', null))
        .$if(open === false, (query) =>
          query.where((its) => its.or([its('state', '<>', 'pending'), its('accepted_at', 'is not', null)])),
        )
        .orderBy('n', direction)
        .limit(limit),
    record: promptOf,
  });
}

function isOpen(prompt: StoredPrompt): boolean {
  return prompt.state === 'pending' && prompt.acceptedAt === undefined;
}

function existingPrompt(tx: Transaction, id: PromptId): StoredPrompt {
  const prompt = readPrompt(tx.connection, { id });
  if (!prompt) throw new Refused(null);
  return prompt;
}

function updatePrompt(tx: Transaction, prompt: StoredPrompt, columns: Partial<PromptColumns>): StoredPrompt {
  const { id, threadId } = prompt;
  if (Object.keys(columns).length === 0) return prompt;
  tx.connection.run(tx.build.updateTable('prompts').set(columns).where('id', '=', id));
  tx.changed({ topic: 'prompt', threadId, promptId: id });
  return existingPrompt(tx, id);
}

type PromptColumns = Omit<Selectable<PromptRow>, 'n' | 'id'>;

function promptOf(row: Selectable<PromptRow>): StoredPrompt {
  return StoredPrompt.parse(
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
      acceptedAt: row.accepted_at,
      deliveredAt: row.delivered_at,
      consumedAt: row.consumed_at,
      createdAt: row.created_at,
      runId: row.run_id,
      requestId: row.request_id,
      toolUseId: row.tool_use_id,
      carry: fromJson(row.carry),
    }),
  );
}
