import { fit, pad } from '../terminal/fit.js';
import { widthOf } from '../terminal/graphemes.js';
import { consoleKeys, type Where } from './key-table.js';
import type { Look } from './look.js';

const heads: Readonly<Record<Where, string>> = {
  everywhere: 'Everywhere',
  home: 'Lists',
  inbox: 'Answering',
  thread: 'Thread',
  diff: 'Changed files',
  work: 'New work',
  help: 'Help',
};

const marks = [
  '?  Question         needs you',
  '!  Approval         needs you',
  '≡  Plan             needs you',
  '✗  Failed',
  '●  Working',
  '◉  Ready to review',
  '◆  Landed',
];

const shownWheres = ['everywhere', 'home', 'inbox', 'thread', 'diff', 'work'] as const;

/** Every key and every mark, made of the one table of keys; in two columns where there is room. */
export function helpRows({ columns, colours }: Look): string[] {
  const blocks = [
    ...shownWheres.map((where) => [
      colours.bold(heads[where]),
      ...consoleKeys
        .filter((row) => row.where === where)
        .map(({ shown, words }) => `  ${pad(shown === ' ' ? 'Space' : shown, 12)} ${words}`),
      '',
    ]),
    [colours.bold('Marks'), ...marks.map((mark) => `  ${mark}`), ''],
    ['Handraise goes on when this console is closed. More: handraise help'],
  ];
  if (columns < 90) return blocks.flat().map((line) => fit(` ${line}`, columns));
  const half = Math.floor(columns / 2) - 1;
  const [left, right]: [string[], string[]] = [[], []];
  for (const block of blocks) (left.length <= right.length ? left : right).push(...block);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
    const one = left[row] ?? '';
    return ` ${widthOf(one) > half ? fit(one, half) : pad(one, half)} ${fit(right[row] ?? '', half)}`;
  });
}
