import { describe, expect, it } from 'vitest';
import {
  elicitedQuestions,
  filledForm,
  takesWords,
  wordedForm,
} from '../../../src/runtimes/acp/elicitation.js';
import { WireElicitation } from '../../../src/runtimes/acp/wire.js';

const form = (message: string, properties: Record<string, unknown>) =>
  WireElicitation.parse({
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
  });

const claude = form('Which colour?', {
  question_0: {
    type: 'string',
    title: 'Colour',
    oneOf: [
      { const: 'Red', title: 'Red', description: 'r' },
      { const: 'Blue', title: 'Blue' },
    ],
  },
  question_0_custom: { type: 'string', title: 'Other' },
});
const claudeMany = form('Answer these.', {
  question_0: {
    type: 'array',
    title: 'Sizes',
    description: 'Which sizes?',
    items: { anyOf: [{ const: 'S' }, { const: 'M' }] },
  },
  question_0_custom: { type: 'string' },
  question_1: { type: 'string', title: 'Tone', description: 'Which tone?', oneOf: [{ const: 'Formal' }] },
  question_1_custom: { type: 'string' },
});
const codex = form('Codex needs your input to continue.', {
  q1: {
    title: 'Which colour?',
    description: 'Colour',
    _meta: { codex: { isOther: true, isSecret: true } },
    type: 'string',
    oneOf: [{ const: 'Red' }, { const: 'None of the above' }],
  },
  q1_note: { type: 'string', title: 'Additional answer or note' },
});
const server = form('Deploy?', {
  region: { type: 'string', enum: ['eu', 'us'] },
  count: { type: 'integer', title: 'Count' },
  sure: { type: 'boolean' },
});

describe('a form', () => {
  it('of an agent’s own question tool is its questions, whichever way it words them', () => {
    expect(elicitedQuestions(claude)).toEqual([
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [{ label: 'Red', description: 'r' }, { label: 'Blue' }],
      },
    ]);
    expect(elicitedQuestions(claudeMany)).toMatchObject([
      {
        question: 'Which sizes?',
        header: 'Sizes',
        multiSelect: true,
        options: [{ label: 'S' }, { label: 'M' }],
      },
      { question: 'Which tone?', header: 'Tone', multiSelect: false },
    ]);
    expect(elicitedQuestions(codex)).toEqual([
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        isSecret: true,
        options: [{ label: 'Red' }],
      },
    ]);
  });

  it('of a server asks for each field', () => {
    expect(elicitedQuestions(server)).toMatchObject([
      { question: 'Deploy?\nregion', options: [{ label: 'eu' }, { label: 'us' }] },
      { question: 'Deploy?\nCount', header: 'Count', options: [] },
      { question: 'Deploy?\nsure', options: [{ label: 'yes' }, { label: 'no' }] },
    ]);
  });

  it.each([undefined, null, 7, {}, { properties: 'x' }])(
    'that is none asks nothing: %s',
    (requestedSchema) => {
      expect(
        elicitedQuestions(WireElicitation.parse({ mode: 'form', message: '', requestedSchema })),
      ).toEqual([]);
    },
  );
});

describe('an answer', () => {
  it.each([
    [claude, { 'Which colour?': 'Blue' }, { question_0: 'Blue' }],
    [claude, { 'Which colour?': 'heliotrope' }, { question_0_custom: 'heliotrope' }],
    [
      claudeMany,
      { 'Which sizes?': 'S, M', 'Which tone?': 'Loud' },
      { question_0: ['S', 'M'], question_1_custom: 'Loud' },
    ],
    [codex, { 'Which colour?': 'Red' }, { q1: 'Red' }],
    [codex, { 'Which colour?': 'Green' }, { q1: 'None of the above', q1_note: 'Green' }],
    [
      server,
      { 'Deploy?\nregion': 'eu', 'Deploy?\nCount': '3', 'Deploy?\nsure': 'no' },
      { region: 'eu', count: 3, sure: false },
    ],
  ])('goes to the field that can hold it', (asked, answers, content) => {
    expect(filledForm(asked, answers)).toEqual({ fits: true, content });
  });

  it.each([
    { 'Deploy?\nregion': 'mars' },
    { 'Deploy?\nCount': '1.5' },
    { 'Deploy?\nCount': '' },
    { 'Deploy?\nsure': 'perhaps' },
  ])('that no field can hold is not bent into one: %j', (answers) => {
    expect(filledForm(server, answers)).toMatchObject({ fits: false });
  });

  it('that nobody gave is words where there is room for words, and never a form that was not filled', () => {
    expect([takesWords(claude), takesWords(codex), takesWords(server)]).toEqual([true, true, false]);
    expect(wordedForm(codex, 'Nobody.')).toEqual({ q1: 'None of the above', q1_note: 'Nobody.' });
    expect(wordedForm(claude, 'Nobody.')).toEqual({ question_0_custom: 'Nobody.' });
  });
});
