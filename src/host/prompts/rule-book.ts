import { given } from '../../protocol/given.js';
import type { Rule } from '../../protocol/rule.js';
import type { Store } from '../../store/store.js';

/** The rules that are on, as this worker knows them; the store has the last word whenever one is used. */
export class RuleBook {
  readonly #store: Store;
  #standing: readonly Rule[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  get standing(): readonly Rule[] {
    return this.#standing;
  }

  async refresh(): Promise<void> {
    const rules: Rule[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#store.query('rules', { state: 'on', ...given({ cursor }) });
      rules.push(...page.rows);
      cursor = page.next;
    } while (cursor !== undefined);
    this.#standing = rules;
  }
}
