import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answersFromText, checkedAnswers, decisionOf } from '../../../src/domain/prompts/answer.js';
import { Failure } from '../../../src/protocol/failure.js';
import type { PromptKind, QuestionAnswer } from '../../../src/protocol/prompt.js';
import type { Question } from '../../../src/protocol/question.js';

function ask(question: string, labels: readonly string[] = [], multiSelect = false): Question {
  return { question, multiSelect, options: labels.map((label) => ({ label })) };
}

function asked(kind: PromptKind, ...questions: Question[]) {
  return { kind, questions };
}

const target = ask('Target?', ['staging', 'Production EU']);
const colours = ask('Colours?', ['Red', 'Blue', 'Green, or grey'], true);

/** The answers to each question, in their order. */
function read(prompt: ReturnType<typeof asked>, text: string): string[][] {
  return answersFromText(prompt, text).map(({ answer }) => answer);
}

test('free text is taken as it is', () => {
  expect(answersFromText(asked('text', ask('Name?')), ' Ada \n')).toEqual([
    { question: 'Name?', answer: [' Ada \n'] },
  ]);
});

describe('an approval', () => {
  const prompt = asked('approval', ask('May it?', ['Approve', 'Deny']));
  test.each(['approve', 'approved', 'yes', 'y', 'ok', 'allow', '1', ' YES ', 'Approve\n'])(
    '%j approves',
    (text) => {
      expect(answersFromText(prompt, text)).toEqual([{ question: 'May it?', answer: ['Approve'] }]);
    },
  );
  test.each(['deny', 'denied', 'no', 'n', 'reject', '2', '', 'yes please', 'approve?', '11'])(
    '%j denies',
    (text) => {
      expect(answersFromText(prompt, text)).toEqual([{ question: 'May it?', answer: ['Deny'] }]);
    },
  );
});

describe('one question', () => {
  test.each([
    ['1', 'staging'],
    [' 2 ', 'Production EU'],
    ['3', '3'],
    ['0', '0'],
    ['STAGING', 'staging'],
    [' production eu\n', 'Production EU'],
    ['1, 2', '1, 2'],
    ['staging, production eu', 'staging, production eu'],
    [' neither of them ', ' neither of them '],
    ['', ''],
  ])('%j is read as %j', (text, answer) => {
    expect(read(asked('ask_user_question', target), text)).toEqual([[answer]]);
  });

  test('takes a number as a position, even where a label is that number', () => {
    const ports = ask('Port?', ['2', '1', '8080']);
    expect(read(asked('ask_user_question', ports), '1')).toEqual([['2']]);
    expect(read(asked('ask_user_question', ports), '8080')).toEqual([['8080']]);
  });
});

describe('a question with several choices', () => {
  test.each([
    ['2', ['Blue']],
    ['1,3', ['Red', 'Green, or grey']],
    ['3 1', ['Green, or grey', 'Red']],
    ['1, 2 ,1', ['Red', 'Blue']],
    ['1,', ['Red']],
    ['red, BLUE', ['Red', 'Blue']],
    ['blue, 1', ['Blue', 'Red']],
    ['green, or grey', ['Green, or grey']],
    ['red, green, or grey, 2', ['Red', 'Green, or grey', 'Blue']],
    ['1,4', ['1,4']],
    ['red, purple', ['red, purple']],
    ['anything goes', ['anything goes']],
    [',', [',']],
  ])('%j is read as %j', (text, answer) => {
    expect(read(asked('ask_user_question', colours), text)).toEqual([answer]);
  });
});

describe('several questions', () => {
  const prompt = asked('ask_user_question', target, colours, ask('Why?'));
  test.each([
    ['1) 2\n2) red, 2\n3) because', [['Production EU'], ['Red', 'Blue'], ['because']]],
    ['3) so \r\n\r\n 1)staging\r\n2)  3', [['staging'], ['Green, or grey'], ['so ']]],
  ])('%j', (text, answers) => {
    expect(read(prompt, text)).toEqual(answers);
  });

  test.each([
    'staging',
    '1) 1\n2) 2',
    '1) 1\n2) 2\n3)',
    '1) 1\n1) 2\n2) 1\n3) x',
    '1) 1\n2) 2\n3) x\n4) y',
    '1) 1\n2) 2\n3) x\nand more',
  ])('%j cannot be read, so every question gets it', (text) => {
    expect(read(prompt, text)).toEqual([[text], [text], [text]]);
  });
});

describe('a structured answer', () => {
  const prompt = asked('ask_user_question', target, colours);
  const one = { question: 'Target?', answer: ['staging'] };
  const two = { question: 'Colours?', answer: ['Red', 'Blue'] };
  const approval = asked('approval', ask('May it?', ['Approve', 'Deny']));

  test('is taken as it is, in the order of the questions', () => {
    expect(checkedAnswers(prompt, [two, one])).toEqual([one, two]);
    expect(checkedAnswers(approval, [{ question: 'May it?', answer: ['Deny'] }])).toEqual([
      { question: 'May it?', answer: ['Deny'] },
    ]);
  });

  test('may be free text, which is what an agent offers as "other"', () => {
    const other = { question: 'Target?', answer: ['my laptop'] };
    expect(checkedAnswers(prompt, [other, two])).toEqual([other, two]);
  });

  test('answers equal questions one by one', () => {
    const twice = asked('ask_user_question', ask('Sure?', ['a']), ask('Sure?', ['b']));
    const answers = [
      { question: 'Sure?', answer: ['a'] },
      { question: 'Sure?', answer: ['b'] },
    ];
    expect(checkedAnswers(twice, answers)).toEqual(answers);
  });

  test.each<[string, ReturnType<typeof asked>, QuestionAnswer[], string]>([
    ['no question', prompt, [], '"Target?" has no answer.'],
    ['one question too few', prompt, [one], '"Colours?" has no answer.'],
    ['nothing chosen', prompt, [{ ...one, answer: [] }, two], '"Target?" has no answer.'],
    [
      'a question that was not asked',
      prompt,
      [one, two, { question: 'Else?', answer: ['x'] }],
      '"Else?" is not a question of this prompt, or it is answered twice.',
    ],
    [
      'a question twice',
      prompt,
      [one, two, one],
      '"Target?" is not a question of this prompt, or it is answered twice.',
    ],
    [
      'several choices of one',
      prompt,
      [{ ...one, answer: ['staging', 'Production EU'] }, two],
      '"Target?" takes one answer, not several.',
    ],
    [
      'neither yes nor no',
      approval,
      [{ question: 'May it?', answer: ['approve'] }],
      '"May it?" is answered with Approve or Deny.',
    ],
  ])('with %s is refused', (_, given, answers, sentence) => {
    expect(() => checkedAnswers(given, answers)).toThrow(new Failure('invalid', sentence));
  });
});

test.each([
  [['Approve'], true],
  [['Deny'], false],
  [[], false],
])('the answer %j decides %j', (answer, approved) => {
  expect(decisionOf(answer.length === 0 ? [] : [{ question: 'May it?', answer }])).toEqual({ approved });
});

describe('whatever is asked', () => {
  const word = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('1', 'a, b', 'Yes', ' '));
  const question = fc.record({
    question: fc.string(),
    multiSelect: fc.boolean(),
    options: fc.array(
      word.map((label) => ({ label })),
      { maxLength: 4 },
    ),
  });
  const prompt = fc.oneof(
    fc.record({
      kind: fc.constant('ask_user_question' as const),
      questions: fc.array(question, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constantFrom<PromptKind>('text', 'approval'),
      questions: fc.array(question, { minLength: 1, maxLength: 1 }),
    }),
  );
  const reply = fc.oneof(
    fc.string(),
    fc.array(word).map((words) => words.join(', ')),
    fc.array(word).map(numbered),
  );

  test('plain text is never refused', () => {
    fc.assert(
      fc.property(prompt, reply, (given, text) => {
        const answers = answersFromText(given, text);
        expect(checkedAnswers(given, answers)).toEqual(answers);
      }),
    );
  });

  test('a choice is a label of the question, or the very text', () => {
    fc.assert(
      fc.property(question, reply, (given, text) => {
        const [answer] = read(asked('ask_user_question', given), text);
        const labels = given.options.map(({ label }) => label);
        expect(answer?.join() === text || answer?.every((each) => labels.includes(each))).toBe(true);
      }),
    );
  });

  test('every position chooses its option', () => {
    fc.assert(
      fc.property(question, (given) => {
        const chosen = given.options.map((_, index) =>
          read(asked('ask_user_question', given), `${index + 1}`),
        );
        expect(chosen).toEqual(given.options.map(({ label }) => [[label]]));
      }),
    );
  });
});

function numbered(words: readonly string[]): string {
  return words.map((word, index) => `${index + 1}) ${word}`).join('\n');
}
