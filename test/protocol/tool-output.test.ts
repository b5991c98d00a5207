import { expect, it } from 'vitest';
import {
  largestOutputPart,
  longestToolOutput,
  outputPart,
  toolOutput,
} from '../../src/protocol/tool-output.js';

it.each([
  ['nothing', '', { summary: '' }],
  ['what the preview shows whole', 'x'.repeat(500), { summary: 'x'.repeat(500) }],
  [
    'one character more',
    'x'.repeat(501),
    { summary: `${'x'.repeat(500)}…`, outputLength: 501, output: 'x'.repeat(501) },
  ],
  [
    'an emoji at the cut',
    `${'x'.repeat(499)}😀`,
    { summary: `${'x'.repeat(499)}…`, outputLength: 501, output: `${'x'.repeat(499)}😀` },
  ],
])('the end of a tool that said %s', (_what, text, fields) => {
  expect(toolOutput(text)).toEqual(fields);
});

it('hands over no more than a runner may', () => {
  const { outputLength, output } = toolOutput('x'.repeat(longestToolOutput + 7));
  expect([outputLength, output?.length]).toEqual([longestToolOutput + 7, longestToolOutput]);
});

it.each([
  ['the beginning', { after: 0, limit: 2 }, { text: 'ab', length: 4, next: 2 }],
  ['the end', { after: 2, limit: 2 }, { text: 'cd', length: 4 }],
  ['everything', { after: 0, limit: 100 }, { text: 'abcd', length: 4 }],
  ['beyond the end', { after: 9, limit: 2 }, { text: '', length: 4 }],
])('a part: %s', (_what, range, part) => {
  expect(outputPart('abcd', range)).toEqual(part);
});

it('parts add up to the text, whatever it is made of', () => {
  const text = `a😀\u0000\ud800b${'\u001b[31m'.repeat(3)}😀`;
  for (const limit of [1, 2, 3, 100]) {
    const parts: string[] = [];
    let after: number | undefined = 0;
    while (after !== undefined) {
      const part: { text: string; next?: number | undefined } = outputPart(text, { after, limit });
      parts.push(part.text);
      after = part.next;
    }
    expect(parts.join('')).toBe(text);
    if (limit > 1) expect(parts.filter((part) => /[\ud83d]$/.test(part))).toEqual([]);
  }
});

it('a part of the worst characters is within a page', () => {
  const part = outputPart('\u0001'.repeat(largestOutputPart * 2), { after: 0, limit: largestOutputPart * 2 });
  expect(JSON.stringify(part).length).toBeLessThan(2 * 2 ** 20);
});
