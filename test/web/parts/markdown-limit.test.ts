import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { expect, it } from 'vitest';
import { isWithinMarkdownLimit } from '../../../src/web/parts/markdown-limit.js';

it.each([
  ['words', 'a **b** `c`', true],
  ['rules, which nest nothing', `${'-'.repeat(200)}\n${'*'.repeat(200)}\n1.5.3.2`, true],
  ['a list within a list within a quote', '> - 1. deep', true],
  ['quotes as deep as the stack', '> '.repeat(4000), false],
  ['quotes without a space', '>'.repeat(4000), false],
  ['lists as deep as the stack', `a\n\n${'1. '.repeat(2000)}`, false],
  ['both', '> - '.repeat(2000), false],
  ['emphasis without an end', '*a_ '.repeat(3000), false],
  [
    'a long answer with code, a list and a table',
    `${'Some words of *an* agent.\n'.repeat(200)}\n|a|b|\n|-|-|\n`,
    true,
  ],
  ['two kinds of emphasis without an end', '*_'.repeat(5000), false],
  ['many blocks', '=\n'.repeat(5000), false],
  ['links without an end', '['.repeat(5000), false],
])('knows what Markdown can be shown: %s', (_what, text, isWithin) => {
  expect(isWithinMarkdownLimit(text)).toBe(isWithin);
});

const parts = [
  '*_',
  '=\n',
  '*',
  '_',
  '~',
  '~~a',
  '[',
  '](',
  '![',
  '`',
  '``a',
  '<',
  '<a ',
  '&',
  'a@b.',
  'www.',
  'http://a',
]
  .concat([
    '|',
    '|a',
    '|a|\n|-|\n',
    '-\n',
    '- a\n',
    '> a\n',
    '1. a\n',
    '*a_ ',
    '**a',
    'a*b_c~',
    '\\',
    'a\n',
    '#\n',
  ])
  .concat(['[a]: b\n', '[^a]', '[^a]: b\n', '[a](b) ', '- [ ] ', '`a` ', '&amp;', '\t', 'a  \n', '"']);

it.each(parts)('the longest text of %j that is shown as Markdown is rendered soon (CWE-407)', (part) => {
  render('warm *a* [b](c)\n- d');
  let [most, more] = [0, Math.floor(10_000 / part.length)];
  while (most < more) {
    const middle = Math.ceil((most + more) / 2);
    if (isWithinMarkdownLimit(part.repeat(middle))) most = middle;
    else more = middle - 1;
  }
  // The time of the processor, because others may keep the machine busy. Without the limit it was three seconds.
  const start = process.cpuUsage();
  render(part.repeat(most));
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(1500);
});

function render(text: string): string {
  return renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, text));
}
