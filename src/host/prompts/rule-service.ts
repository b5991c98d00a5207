import { seenFolder } from '../../domain/container/seen-folder.js';
import { continuedBacktest, newBacktest } from '../../domain/prompts/backtest.js';
import { type RuleSource, ruleFrom } from '../../domain/prompts/rule-making.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { PromptId, RuleId, ThreadId } from '../../protocol/id.js';
import type { Backtest, Rule, RuleRequest, SwitchRuleRequest } from '../../protocol/rule.js';
import type { Operation } from '../../store/operation.js';
import { largestPageBytes, type Page } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { Actor, Rules } from '../host.js';
import { sha256 } from '../sha256.js';
import type { RuleBook } from './rule-book.js';
import { projectOf } from './thread-prompts.js';

// Each prompt is compared with every rule that is on.
const mostStanding = 500;
const mostRecorded = 5000;
const mostTries = 5;

export interface RuleServiceParts {
  readonly store: Store;
  readonly book: RuleBook;
  readonly clock: Clock;
  readonly newRuleId: () => RuleId;
}

/** Rules: made by a person from answers, tried on what was answered before, switched on, and withdrawn. */
export class RuleService implements Rules {
  readonly #parts: RuleServiceParts;

  constructor(parts: RuleServiceParts) {
    this.#parts = parts;
  }

  async create({ name, from, reach }: RuleRequest, actor: Actor): Promise<Rule> {
    const { clock, newRuleId } = this.#parts;
    const places = new Places(this.#parts.store);
    const sources = await Promise.all(from.map(async (id) => await this.#source(id, places)));
    const made = ruleFrom(sources, { reach, sha256 });
    const backtest = await this.#backtest(made, places);
    for (let tries = 1; ; tries += 1) {
      const version = await this.#nextVersion(name, made.project);
      const rule: Rule = {
        id: newRuleId(),
        name,
        version,
        state: 'tested',
        ...made,
        from: [...new Set(from)],
        backtest,
        made: { actor, at: instant(clock) },
        used: 0,
      };
      if (await this.#commit({ do: 'insertRule', rule })) return rule;
      if (tries === mostTries)
        throw new Failure('conflict', `Others are changing the rule ${name}. Try again.`);
    }
  }

  async get(id: RuleId): Promise<Rule> {
    const rule = await this.#parts.store.query('rule', { id });
    if (!rule) throw new Failure('not_found', `There is no rule ${id}.`);
    return rule;
  }

  async list(query: Parameters<Rules['list']>[0]): Promise<Page<Rule>> {
    return await this.#parts.store.query('rules', { ...query, mostBytes: largestPageBytes });
  }

  async switchOn(id: RuleId, { differed = 0 }: SwitchRuleRequest, actor: Actor): Promise<Rule> {
    const { store, book, clock } = this.#parts;
    const rule = await this.get(id);
    if (rule.state !== 'tested') throw stateFailure(rule);
    const on = await store.query('rules', { state: 'on', limit: mostStanding });
    if (on.rows.length >= mostStanding)
      throw new Failure('conflict', `${mostStanding} rules are on, and no more can be. Withdraw one first.`);
    const backtest = await this.#backtest(rule, new Places(store));
    if (backtest.differed !== differed) throw new Failure('conflict', differenceWords(rule, backtest));
    const at = instant(clock);
    const isDone = await this.#commit({
      do: 'switchRule',
      ruleId: id,
      from: 'tested',
      to: 'on',
      backtest,
      actor,
      at,
    });
    await book.refresh();
    const now = await this.get(id);
    if (!isDone) throw stateFailure(now);
    return now;
  }

  /** What was withdrawn once stays so; to withdraw it again changes nothing. */
  async withdraw(id: RuleId, actor: Actor): Promise<Rule> {
    const { book, clock } = this.#parts;
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const { state } = await this.get(id);
      if (state === 'withdrawn') break;
      const at = instant(clock);
      await this.#commit({ do: 'switchRule', ruleId: id, from: state, to: 'withdrawn', actor, at });
    }
    await book.refresh();
    return await this.get(id);
  }

  async #nextVersion(name: string, project: string): Promise<number> {
    const { rows } = await this.#parts.store.query('rules', { name, order: 'newest_first', limit: 1 });
    const [newest] = rows;
    if (newest && newest.project !== project)
      throw new Failure(
        'conflict',
        `The rule ${name} is for ${newest.project}, and these answers are from ${project}. Choose another name.`,
      );
    return (newest?.version ?? 0) + 1;
  }

  /** Tries a rule on what persons have answered in its project, page by page, the newest first. */
  async #backtest(rule: Pick<Rule, 'project' | 'match' | 'answer'>, places: Places): Promise<Backtest> {
    const { store, clock } = this.#parts;
    let test = newBacktest(instant(clock));
    let cursor: string | undefined;
    while (test.looked < mostRecorded) {
      const page = await store.query('prompts', {
        answeredIn: rule.project,
        order: 'newest_first',
        limit: 500,
        mostBytes: largestPageBytes,
        ...given({ cursor }),
      });
      const recorded: RuleSource[] = [];
      for (const prompt of page.rows)
        recorded.push({ prompt, project: rule.project, cwd: (await places.of(prompt.threadId)).cwd });
      test = continuedBacktest(test, rule, { recorded, sha256 });
      cursor = page.next;
      if (cursor === undefined) return { ...test, isWhole: true };
    }
    return test;
  }

  async #source(id: PromptId, places: Places): Promise<RuleSource> {
    const prompt = await this.#parts.store.query('prompt', { id });
    if (!prompt) throw new Failure('not_found', `There is no prompt ${id}.`);
    return { prompt, ...(await places.of(prompt.threadId)) };
  }

  async #commit(operation: Operation<'insertRule' | 'switchRule'>): Promise<boolean> {
    const result = await this.#parts.store.commit({ operations: [operation] });
    if (result.committed || result.refusal.because === 'condition') return result.committed;
    throw new Failure('home_busy', `The rule could not be changed: ${result.refusal.because}. Try again.`);
  }
}

/** Where threads work; each is read once. */
class Places {
  readonly #store: Store;
  readonly #known = new Map<ThreadId, Promise<Pick<RuleSource, 'project' | 'cwd'>>>();

  constructor(store: Store) {
    this.#store = store;
  }

  async of(threadId: ThreadId): Promise<Pick<RuleSource, 'project' | 'cwd'>> {
    const known = this.#known.get(threadId) ?? this.#read(threadId);
    this.#known.set(threadId, known);
    return await known;
  }

  async #read(id: ThreadId): Promise<Pick<RuleSource, 'project' | 'cwd'>> {
    const thread = await this.#store.query('thread', { id });
    if (!thread) throw new Failure('not_found', `There is no thread ${id}.`);
    return { project: projectOf(thread), cwd: seenFolder(thread) };
  }
}

function stateFailure({ name, version, state }: Rule): Failure {
  const why = state === 'on' ? 'is on already' : 'was withdrawn. Make another version of it';
  return new Failure('conflict', `Version ${version} of the rule ${name} ${why}.`);
}

function differenceWords({ name }: Rule, { differed, agreed }: Backtest): string {
  return `The rule ${name} would have answered ${differed} recorded ${differed === 1 ? 'prompt' : 'prompts'} differently from a person, and ${agreed} the same. Look at the differences first, then switch it on with that number.`;
}
