import { expect, it } from 'vitest';
import { type FormStep, openForm, step } from '../../../src/cli/ask/question-form.js';
import { formLines } from '../../../src/cli/ask/question-view.js';
import { palette } from '../../../src/cli/terminal/colours.js';
import { isKey, KeyDecoder } from '../../../src/cli/terminal/key.js';
import type { Question } from '../../../src/protocol/question.js';

const one: Question = question('One?', ['Red', 'Blue']);
const many: Question = { ...question('Many?', ['A', 'B, C', 'D']), multiSelect: true };
const free: Question = question('Free?', []);
const down = '\u001B[B';
const up = '\u001B[A';
const left = '\u001B[D';

it.each([
  ['Enter takes what is under the cursor', [one], `${down}\r`, [['Blue']]],
  ['j and k move', [one], 'jk\r', [['Red']]],
  ['a number takes it at once', [one], '2', [['Blue']]],
  ['a number beyond the list does nothing', [one], '9\r', [['Red']]],
  ['the last entry is free text', [one], `${up}\rpink 2\r`, [['pink 2']]],
  ['no empty text is taken', [one], '3\r  \rpink\r', [['pink']]],
  ['what is pasted becomes free text', [one], '\u001B[200~x\ny\u001B[201~\r', [['x\ny']]],
  ['space ticks and unticks', [many], ` ${down} ${up} \r`, [['B, C']]],
  ['ticked ones come in the order of the list', [many], '31\r', [['A', 'D']]],
  ['Enter on an untouched list takes one', [many], `${down}\r`, [['B, C']]],
  ['ticked ones and text', [many], '14more\r', [['A', 'more']]],
  ['no options is text at once', [free], 'y1 \r', [['y1']]],
  ['several, one after the other', [one, many, free], '12\rwords\r', [['Red'], ['B, C'], ['words']]],
  ['a step back changes an answer', [one, many], `1${left}2 \r`, [['Blue'], ['A']]],
  [
    'a step back keeps what was ticked',
    [one, many, free],
    '12\r\u001B[Z3\rx\r',
    [['Red'], ['B, C', 'D'], ['x']],
  ],
])('%s', (_what, questions, keys, answers) => {
  expect(after(questions, keys)).toEqual({
    kind: 'answers',
    answers: questions.map((each, place) => ({ question: each.question, answer: answers[place] })),
  });
});

it('leaves on Ctrl-C and Escape, but not out of the text of a list', () => {
  expect(after([one], '\u0003')).toEqual({ kind: 'leave' });
  expect(step(openForm([one]), { kind: 'escape' })).toEqual({ kind: 'leave' });
  const typing = after([one], '3words');
  if (typing.kind !== 'form') throw new Error('It ended.');
  expect(step(typing.form, { kind: 'escape' })).toMatchObject({ kind: 'form', form: { place: 0 } });
});

it('fits a small screen, around the cursor, where the option is told whole', () => {
  const long = question(
    'Long?',
    Array.from({ length: 30 }, (_, place) => `Option ${place + 1} with many words to read`),
  );
  const state = after([long], down.repeat(20));
  if (state.kind !== 'form') throw new Error('It ended.');
  expect(formLines(state.form, { columns: 24, rows: 6, colours: palette({ isColoured: false }) })).toEqual([
    '  20. Option 20 with m…',
    '› 21. Option 21 with',
    '      many words to',
    '      read',
    '↑↓ move · Enter or a n…',
  ]);
});

it('an option that has no room is told whole under the cursor, with what it means, and to its end where it is long', () => {
  const told: Question = {
    ...question('Told?', []),
    options: [
      { label: 'Plain', description: 'Says what happened and what to do' },
      { label: `Keep ${'x'.repeat(80)} not` },
    ],
  };
  const lines = (keys: string, rows: number) => {
    const state = after([told], keys);
    if (state.kind !== 'form') throw new Error('It ended.');
    return formLines(state.form, { columns: 30, rows, colours: palette({ isColoured: false }) });
  };
  expect(lines('', 12)).toEqual([
    '› 1. Plain — Says what',
    '     happened and what to do',
    `  2. Keep ${'x'.repeat(18)}…`,
    '  3. Something else…',
    '↑↓ move · Enter or a number…',
  ]);
  expect(lines(down, 12).slice(1, -2)).toEqual([
    '› 2. Keep',
    ...['x'.repeat(24), 'x'.repeat(24), 'x'.repeat(24)].map((row) => `     ${row}`),
    '     xxxxxxxx not',
  ]);
  expect(lines(down, 6)).toEqual([
    '  1. Plain — Says what happe…',
    '› 2. Keep',
    `     ${'x'.repeat(24)}`,
    '     … 3 more lines',
    '↑↓ move · Enter or a number…',
  ]);
});

function after(questions: readonly Question[], keys: string): FormStep {
  let state: FormStep = { kind: 'form', form: openForm(questions) };
  for (const key of new KeyDecoder().push(keys).filter(isKey)) {
    if (state.kind === 'form') state = step(state.form, key);
  }
  return state;
}

function question(text: string, labels: readonly string[]): Question {
  return { question: text, multiSelect: false, options: labels.map((label) => ({ label })) };
}
