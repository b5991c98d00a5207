import { expect, it } from 'vitest';
import { colouredText, plainStyle, type StyledRun } from '../../../src/domain/words/coloured-text.js';
import { plainText } from '../../../src/domain/words/plain-text.js';

const esc = '\u001b';
const textOf = (runs: readonly StyledRun[]) => runs.map(({ text }) => text).join('');

it.each([
  ['plain', [{ text: 'plain', style: {} }]],
  ['', []],
  [
    `${esc}[31mbad${esc}[0m good`,
    [
      { text: 'bad', style: { hue: 'red' } },
      { text: ' good', style: {} },
    ],
  ],
  [`${esc}[1;4;92mx`, [{ text: 'x', style: { isBold: true, isUnderlined: true, hue: 'green' } }]],
  [
    `${esc}[38;5;196mx${esc}[39my`,
    [
      { text: 'x', style: { hue: 'red' } },
      { text: 'y', style: {} },
    ],
  ],
  [`${esc}[38;2;20;30;240mx`, [{ text: 'x', style: { hue: 'blue' } }]],
  [`\u009b36mx`, [{ text: 'x', style: { hue: 'cyan' } }]],
  [`${esc}[41;97m FAIL ${esc}[49m`, [{ text: ' FAIL ', style: { ground: 'red' } }]],
  [
    `${esc}[7mx${esc}[27my`,
    [
      { text: 'x', style: { ground: 'grey' } },
      { text: 'y', style: {} },
    ],
  ],
  // Nothing is concealed, no title is set, no cursor moves, and no direction is turned.
  [`${esc}[8mseen${esc}]0;title\u0007 ${esc}[2J\u202Etoo`, [{ text: 'seen too', style: {} }]],
  [`${esc}[>4;1mx`, [{ text: 'x', style: {} }]],
  [`${esc}[m${esc}[999;;mx`, [{ text: 'x', style: {} }]],
  [`a${esc}`, [{ text: 'a', style: {} }]],
] as const)('%j', (text, runs) => {
  expect(colouredText(text).runs).toEqual(runs);
});

it('a part goes on in the colours of the one before it', () => {
  const { after } = colouredText(`${esc}[1;35mone`);
  expect(colouredText('two', after).runs).toEqual([{ text: 'two', style: { isBold: true, hue: 'magenta' } }]);
  expect(colouredText(`${esc}[0m`, after).after).toBe(plainStyle);
});

it('the words are those of plain text, whatever the colours', () => {
  const texts = ['a\u001b[3', '\u001b[31', 'm', '\u001b]0;x', '\u202e', 'é👩‍💻', '\n', 'z\u001b[0m'];
  for (let seed = 0; seed < 500; seed += 1) {
    const text = Array.from(
      { length: 12 },
      (_, place) => texts[(seed * 7 + place * (seed % 5) + place) % texts.length],
    ).join('');
    expect(textOf(colouredText(text).runs)).toBe(plainText(text));
  }
});

// What is not linear does not come to an end with texts of this size.
it('a text that changes its colour with every character makes few runs and loses nothing', () => {
  const count = 200_000;
  const { runs } = colouredText(`${esc}[31mx${esc}[32my`.repeat(count));
  expect(runs.length).toBeLessThanOrEqual(2001);
  expect(textOf(runs) === 'xy'.repeat(count)).toBe(true);
});

it.each([`${esc}[`, `${esc}]`, `${esc}P`, `${esc}[38;5;`, '\u009d'])(
  'beginnings of %j alone are read to their end',
  (begin) => {
    const text = begin.repeat(400_000);
    expect(textOf(colouredText(text).runs) === plainText(text)).toBe(true);
  },
);
