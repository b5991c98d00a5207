import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DirectiveError, repliesIn } from '../../src/simulator/directives.js';

describe('a prompt without directives', () => {
  it.each(['hello', '', 'see [[wiki link]] and x << y >> z', '[[ text hi]]', '[[texts hi]]'])(
    '%s',
    (prompt) => {
      expect(repliesIn(prompt)).toBe(undefined);
    },
  );
});

it.each([
  ['[[text hi]]', { blocks: [{ text: 'hi' }] }],
  ['[[text "a ]] b\\nc"]]', { blocks: [{ text: 'a ]] b\nc' }] }],
  ['[[think hm]] and [[text hi]]', { blocks: [{ think: 'hm' }, { text: 'hi' }] }],
  ['[[tool Read]]', { blocks: [{ tool: 'Read', input: {} }] }],
  [
    '[[ask Sure?]]',
    { blocks: [{ ask: 'Sure?', options: ['Yes', 'No'], header: 'Question', multiple: false }] },
  ],
  [
    '[[ask Which? | A | B]]',
    { blocks: [{ ask: 'Which?', options: ['A', 'B'], header: 'Question', multiple: false }] },
  ],
  ['[[deltas 3 ab]]', { blocks: [{ text: 'ab', repeat: 3 }] }],
  ['[[huge 2kb]]', { blocks: [{ text: 'x', repeat: 2048, chunk: 2048 }] }],
  ['[[delay 500]] [[slow 5]]', { blocks: [], delayMs: 500, chunkDelayMs: 5 }],
  [
    '[[stop max_tokens]] [[usage input=9 cache-read=1]]',
    {
      blocks: [],
      stopReason: 'max_tokens',
      usage: { inputTokens: 9, cacheReadTokens: 1 },
    },
  ],
  [
    '[[error 429 retry-after=2 times=3 message="come back"]]',
    {
      blocks: [],
      fault: { kind: 'error', status: 429, retryAfterSeconds: 2, times: 3, message: 'come back' },
    },
  ],
  ['[[hang]]', { blocks: [], fault: { kind: 'hang', afterEvents: 0 } }],
  ['[[cut 5 times=1]]', { blocks: [], fault: { kind: 'cut', afterEvents: 5, times: 1 } }],
  ['[[malformed]]', { blocks: [], fault: { kind: 'malformed', afterEvents: 0 } }],
])('%s', (prompt, reply) => {
  expect(repliesIn(prompt)).toEqual([reply]);
});

it('divides the replies of one turn', () => {
  expect(repliesIn('[[text a]] [[next]] [[text b]] [[text c]] [[next]]')).toEqual([
    { blocks: [{ text: 'a' }] },
    { blocks: [{ text: 'b' }, { text: 'c' }] },
    { blocks: [] },
  ]);
});

it('leaves nested directives to the agent that gets them', () => {
  const inner = '<<tool Bash {"command":"a >> b"}>> <<next>> <<text done>>';
  const outer = repliesIn(`[[tool Agent ${JSON.stringify({ prompt: inner })}]]`);
  expect(outer).toEqual([{ blocks: [{ tool: 'Agent', input: { prompt: inner } }] }]);
  expect(repliesIn(inner)).toEqual([
    { blocks: [{ tool: 'Bash', input: { command: 'a >> b' } }] },
    { blocks: [{ text: 'done' }] },
  ]);
});

it.each([
  ['[[text never closed', 'not closed'],
  ['[[tool Bash {"command":]]', 'tool Bash'],
  ['[[tool Bash ls]]', 'must be a JSON object'],
  ['[[tool Bash {} extra]]', 'after the JSON'],
  ['[[huge enormous]]', 'is not a size'],
  ['[[error 200]]', 'status'],
  ['[[delay soon]]', 'delayMs'],
  ['[[stop whenever]]', 'stopReason'],
])('%s says what is wrong', (prompt, reason) => {
  expect(() => repliesIn(prompt)).toThrow(DirectiveError);
  expect(() => repliesIn(prompt)).toThrow(reason);
});

describe('whatever it is given', () => {
  // Zod leaves out a field of the name that every object has.
  const fieldName = fc.string().filter((name) => name !== '__proto__');

  it('hands any JSON object on to a tool', () => {
    fc.assert(
      fc.property(fc.dictionary(fieldName, fc.jsonValue()), fc.string(), (input, around) => {
        const own = JSON.parse(JSON.stringify(input));
        const noise = around.replaceAll('[', '').replaceAll('<', '');
        const replies = repliesIn(`${noise}[[tool some_tool ${JSON.stringify(own)}]]${noise}`);
        expect(replies).toEqual([{ blocks: [{ tool: 'some_tool', input: own }] }]);
      }),
    );
  });

  it('says any quoted text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(repliesIn(`[[text ${JSON.stringify(text)}]]`)).toEqual([{ blocks: [{ text }] }]);
      }),
    );
  });

  it('reads any text or says what is wrong with it', () => {
    const words = fc.constantFrom(
      '[[',
      ']]',
      '<<',
      '>>',
      'tool',
      'text',
      'error',
      'next',
      ' ',
      '"',
      '{',
      '}',
      '\\',
      '9',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string())), (parts) => {
        try {
          repliesIn(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(DirectiveError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
