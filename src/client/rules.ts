import * as z from 'zod';
import type { RuleId } from '../protocol/id.js';
import { Rule, type RuleRequest, type SwitchRuleRequest } from '../protocol/rule.js';
import type { ApiConnection } from './connection.js';
import { everyPage, next } from './page.js';

const RulePage = z.object({ rules: z.array(Rule), next });

/** What answers in place of a person. */
export class RuleClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  /** Makes a version of a rule from answers; it answers nothing until it is switched on. */
  create(request: RuleRequest): Promise<Rule> {
    return this.#connection.call(Rule, '/rules', { method: 'POST', body: request });
  }

  /** Every version of every rule, oldest first. */
  async all(query: { readonly name?: string } = {}): Promise<Rule[]> {
    const rules: Rule[] = [];
    const pages = everyPage((part) =>
      this.#connection.call(RulePage, '/rules', { query: { ...query, ...part } }),
    );
    for await (const page of pages) rules.push(...page.rules);
    return rules;
  }

  get(id: RuleId): Promise<Rule> {
    return this.#connection.call(Rule, `/rules/${id}`);
  }

  switchOn(id: RuleId, request: SwitchRuleRequest = {}): Promise<Rule> {
    return this.#connection.call(Rule, `/rules/${id}/on`, { method: 'POST', body: request });
  }

  withdraw(id: RuleId): Promise<Rule> {
    return this.#connection.call(Rule, `/rules/${id}/withdraw`, { method: 'POST' });
  }
}
