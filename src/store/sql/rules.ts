import type { Selectable } from 'kysely';
import type { RuleId } from '../../protocol/id.js';
import { Rule } from '../../protocol/rule.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { fromJson, present } from './json-column.js';
import { bytesOf, idHas, readPage, type Window } from './paging.js';
import type { Reader } from './reader.js';
import type { RuleRow } from './schema.js';
import { all, change, firstRow, type Steps, withoutSteps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* insertRule(tx: Transaction, { rule }: Operation<'insertRule'>): Steps<Changed> {
  const { id, name, version, state } = rule;
  const taken = yield* firstRow(
    tx.build.selectFrom('rules').selectAll().where('name', '=', name).where('version', '=', version),
  );
  if (taken) throw new UnitRefused({ rule: ruleOf(taken) });
  const row = { id, name, version, state, record: recordOf(rule), last_used_at: null };
  return { changed: yield* change(tx.build.insertInto('rules').values(row)) };
}

export function* switchRule(tx: Transaction, operation: Operation<'switchRule'>): Steps<Changed> {
  const { ruleId, from, to, actor, at, backtest } = operation;
  const rule = yield* existingRule(tx, ruleId);
  if (rule.state !== from) throw new UnitRefused({ rule });
  if (to === 'on') {
    const others = yield* all(
      tx.build.selectFrom('rules').selectAll().where('name', '=', rule.name).where('state', '=', 'on'),
    );
    for (const other of others) yield* putRule(tx, withdrawn(ruleOf(other), { actor, at }));
  }
  const switched =
    to === 'on'
      ? { ...rule, state: to, switchedOn: { actor, at }, ...(backtest && { backtest }) }
      : withdrawn(rule, { actor, at });
  return { changed: yield* putRule(tx, switched) };
}

/** The row is locked until the unit is committed, so that whoever withdraws it comes before or after, and never in between. */
export function* useRule(tx: Transaction, { ruleId, at }: Operation<'useRule'>): Steps<Changed> {
  const rule = yield* existingRule(tx, ruleId);
  if (rule.state !== 'on') throw new UnitRefused({ rule });
  const changed = yield* change(
    tx.build
      .updateTable('rules')
      .set((its) => ({ used: its('used', '+', 1), last_used_at: at }))
      .where('id', '=', ruleId),
  );
  return { changed };
}

export function* readRule(reader: Reader, { id }: InputOf<'rule'>): Steps<Rule | null> {
  const row = yield* firstRow(
    reader.build
      .selectFrom('rules')
      .selectAll()
      .where('id', '=', id)
      .$if(reader.locksRows, (query) => query.forUpdate()),
  );
  return row ? ruleOf(row) : null;
}

export function* readRules(reader: Reader, request: InputOf<'rules'>): Steps<Page<Rule>> {
  const { name, state } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('rules')
      .where('n', compare, cursor)
      .where(idHas(reader, request))
      .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
      .orderBy('n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('record')),
    records: (found) => withoutSteps(found.map(ruleOf)),
  });
}

function* existingRule(tx: Transaction, id: RuleId): Steps<Rule> {
  const rule = yield* readRule(tx, { id });
  if (!rule) throw new UnitRefused(null);
  return rule;
}

function* putRule(tx: Transaction, rule: Rule): Steps<number> {
  tx.changed({ topic: 'rule', ruleId: rule.id });
  return yield* change(
    tx.build
      .updateTable('rules')
      .set({ state: rule.state, record: recordOf(rule) })
      .where('id', '=', rule.id),
  );
}

function withdrawn(rule: Rule, step: NonNullable<Rule['withdrawn']>): Rule {
  return { ...rule, state: 'withdrawn', withdrawn: step };
}

// How often it was used stands beside the record, because it grows with every answer.
function recordOf({ used: _used, lastUsedAt: _at, ...record }: Rule): string {
  return JSON.stringify(record);
}

function ruleOf(row: Selectable<RuleRow>): Rule {
  const { used, last_used_at: lastUsedAt } = row;
  return Rule.parse({ ...Object(fromJson(row.record)), used, ...present({ lastUsedAt }) });
}
