import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, fingerprintText, likenessText } from '../../../src/domain/prompts/fingerprint.js';

const asked = {
  kind: 'approval' as const,
  questions: [{ question: 'May it?', multiSelect: false, options: [{ label: 'Approve' }] }],
  action: { tool: 'Bash', input: { command: 'ls' }, digest: 'here' },
};
const elsewhere = { ...asked, action: { ...asked.action, digest: 'elsewhere' } };

test('a fingerprint has the action with its place, a likeness without', () => {
  expect(fingerprintText(asked)).toBe(
    '{"action":"here","kind":"approval","questions":[{"multiSelect":false,"options":[{"label":"Approve"}],"question":"May it?"}]}',
  );
  expect(fingerprintText(elsewhere)).not.toBe(fingerprintText(asked));
  expect(likenessText(elsewhere)).toBe(likenessText(asked));
  expect(likenessText(asked)).toBe(
    '{"action":{"input":{"command":"ls"},"tool":"Bash"},"kind":"approval","questions":[{"multiSelect":false,"options":[{"label":"Approve"}],"question":"May it?"}]}',
  );
});

test('another question, option, input or kind is another prompt', () => {
  const others = [
    { ...asked, kind: 'text' as const },
    {
      ...asked,
      questions: [{ ...asked.questions[0], question: 'Shall it?', multiSelect: false, options: [] }],
    },
    { ...asked, action: { ...asked.action, input: { command: 'ls -a' } } },
    { kind: asked.kind, questions: asked.questions },
  ];
  for (const other of others) expect(likenessText(other)).not.toBe(likenessText(asked));
});

test('the order of keys does not matter, the order of lists does', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const reversed = Object.fromEntries(Object.entries(object).toReversed());
      expect(canonicalJson(reversed)).toBe(canonicalJson(object));
      expect(JSON.parse(canonicalJson(object))).toEqual(JSON.parse(JSON.stringify(object)));
    }),
  );
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});
