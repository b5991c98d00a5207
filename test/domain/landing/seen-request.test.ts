import { expect, test } from 'vitest';
import { seenRequest } from '../../../src/domain/landing/seen-request.js';

const view = { state: 'OPEN', headRefOid: 'a1' };
const failedCheck = {
  __typename: 'CheckRun',
  name: 'test',
  status: 'COMPLETED',
  conclusion: 'FAILURE',
  detailsUrl: 'https://ci.example/1',
};
const remark = {
  id: 'IC_1',
  author: { login: 'ada' },
  authorAssociation: 'MEMBER',
  body: 'Please name it better.',
};

test.each([
  ['nothing', {}, [], { isPending: false, news: [] }],
  [
    'a check that failed',
    { statusCheckRollup: [failedCheck, { ...failedCheck, name: 'lint', conclusion: 'SUCCESS' }] },
    [],
    {
      isPending: false,
      news: [{ kind: 'check', key: 'check a1 test', name: 'test', url: 'https://ci.example/1' }],
    },
  ],
  [
    'an older kind of check, and one that is under way',
    {
      statusCheckRollup: [
        { __typename: 'StatusContext', context: 'ci/x', state: 'ERROR', targetUrl: 'javascript:x' },
        { name: 'slow', status: 'IN_PROGRESS', conclusion: '' },
      ],
    },
    [],
    { isPending: true, news: [{ kind: 'check', key: 'check a1 ci/x', name: 'ci/x', url: '' }] },
  ],
  [
    'one that was cancelled or skipped is none',
    {
      statusCheckRollup: ['CANCELLED', 'SKIPPED', 'NEUTRAL'].map((conclusion) => ({
        ...failedCheck,
        conclusion,
      })),
    },
    [],
    { isPending: false, news: [] },
  ],
  [
    'a comment and a review of people who may write there',
    {
      comments: [remark],
      reviews: [
        { ...remark, id: 'R_1', state: 'CHANGES_REQUESTED', body: '  ' },
        { ...remark, id: 'R_2', state: 'COMMENTED', body: 'No.' },
      ],
    },
    [],
    {
      isPending: false,
      news: [
        { kind: 'remark', key: 'remark R_2', author: 'ada', place: '', body: 'No.' },
        { kind: 'remark', key: 'remark IC_1', author: 'ada', place: '', body: 'Please name it better.' },
      ],
    },
  ],
  [
    'words of strangers, and words that were not said yet, are none',
    {
      comments: ['NONE', 'CONTRIBUTOR', 'FIRST_TIMER', ''].map((authorAssociation) => ({
        ...remark,
        authorAssociation,
      })),
      reviews: [
        { ...remark, state: 'PENDING' },
        { ...remark, state: 'DISMISSED' },
      ],
    },
    [{ id: 1, user: { login: 'x' }, author_association: 'NONE', body: 'y', path: 'a' }],
    { isPending: false, news: [] },
  ],
  [
    'a comment on a line, with what steers a terminal',
    {},
    [
      {
        id: 7,
        user: null,
        author_association: 'OWNER',
        body: 'Why\u001B]52;c;eA==\u0007?\u202e',
        path: 'src/a\n.ts',
        line: 12,
      },
    ],
    {
      isPending: false,
      news: [{ kind: 'remark', key: 'line 7', author: 'somebody', place: 'src/a .ts:12', body: 'Why?' }],
    },
  ],
])('%s', (_name, said, lines, seen) => {
  expect(seenRequest({ ...view, ...said }, lines)).toEqual({ state: 'OPEN', ...seen });
});

test('what is long is cut', () => {
  const seen = seenRequest(
    {
      ...view,
      comments: [{ ...remark, body: 'x'.repeat(100_000) }],
      statusCheckRollup: [{ ...failedCheck, name: 'n'.repeat(5000) }],
    },
    [],
  );
  expect(seen?.news.map((each) => (each.kind === 'check' ? each.name.length : each.body.length))).toEqual([
    200, 4000,
  ]);
});

test.each([
  [undefined, []],
  ['text', []],
  [{ state: 'ODD' }, []],
  [view, undefined],
  [view, { message: 'Not Found' }],
])('%j with %j cannot be read', (said, lines) => {
  expect(seenRequest(said, lines)).toBeUndefined();
});
