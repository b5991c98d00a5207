import { expect, test } from 'vitest';
import { type Finding, preflightVerdict } from '../../../src/domain/preflight/finding.js';

const disk: Finding = { subject: 'disk', stops: 'not_ready', problem: 'It is full.', fix: 'Make room.' };
const login: Finding = { subject: 'login', stops: 'no_permission', problem: 'Nobody.', fix: 'Sign in.' };
const rules: Finding = { subject: 'ask_rules', problem: 'It asks.', fix: '' };

test.each<[string, readonly Finding[], object]>([
  ['nothing', [], { refusal: null, notices: [] }],
  ['what only has to be said', [rules], { refusal: null, notices: ['It asks.'] }],
  [
    'all that stops it, in one sentence with the code of what comes first',
    [disk, rules, login],
    {
      refusal: expect.objectContaining({
        code: 'no_permission',
        message: 'Nobody. Sign in. It is full. Make room.',
      }),
      notices: ['It asks.'],
    },
  ],
])('a start is judged by %s', (_what, findings, verdict) => {
  expect(preflightVerdict(findings)).toEqual(verdict);
});
