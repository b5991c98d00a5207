import { actorWords } from '../../domain/words/actor-words.js';
import { age } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Rule } from '../../protocol/rule.js';
import { tableLines } from '../terminal/table.js';
import { cardLines } from './card.js';
import type { TableContext } from './table-context.js';

type RuleContext = Omit<TableContext, 'ids'>;

const columns = [
  { header: 'RULE' },
  { header: 'STATE' },
  { header: 'ANSWERS' },
  { header: 'WHAT IT DOES', isFlexible: true },
];

const states: Readonly<Record<Rule['state'], string>> = {
  tested: 'not on yet',
  on: 'on',
  withdrawn: 'withdrawn',
};

/** Every version of every rule. */
export function ruleTable(rules: readonly Rule[], { width, colours }: RuleContext): string[] {
  const rows = rules.map((rule) => [
    { text: `${rule.name}@${rule.version}` },
    { text: states[rule.state] },
    { text: String(rule.used) },
    { text: plainLine(rule.words), paint: colours.dim },
  ]);
  return tableLines(columns, rows, { width, paintHeader: colours.dim });
}

/** One version, with what it would have said to what was answered before. */
export function ruleCard(rule: Rule, { now, colours }: RuleContext): string[] {
  const { made, switchedOn, withdrawn, backtest, used, lastUsedAt } = rule;
  const step = (given: Rule['withdrawn']) =>
    given ? `${age(given.at, now)} ago, by ${actorWords(given.actor)}` : '';
  const last = lastUsedAt === undefined ? '' : `, last ${age(lastUsedAt, now)} ago`;
  return cardLines(
    [
      ['rule', `${rule.name}@${rule.version}   ${states[rule.state]}`],
      ['does', plainLine(rule.words)],
      ['made', `${step(made)}, from ${rule.from.join(', ')}`],
      ['on', step(switchedOn)],
      ['withdrawn', step(withdrawn)],
      ['answers', `${used}${last}`],
      ['back-test', testWords(backtest)],
      [
        'differs',
        backtest.differences
          .map(
            ({ promptId, asked, answered }) =>
              `${promptId} ${plainLine(asked)}: you said ${plainLine(answered)}`,
          )
          .join('\n'),
      ],
    ],
    colours,
  );
}

function testWords({ looked, isWhole, agreed, differed }: Rule['backtest']): string {
  const all = isWhole ? '' : ' (the newest)';
  return `of ${looked} recorded answers${all} it would have given ${agreed} the same, ${differed} differently`;
}
