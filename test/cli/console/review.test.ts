import { describe, expect, it } from 'vitest';
import { noChanges, withComments, withPage } from '../../../src/cli/console/change-rows.js';
import { diffView } from '../../../src/cli/console/console-state.js';
import type { ChangedPath } from '../../../src/protocol/changes.js';
import { ThreadId } from '../../../src/protocol/id.js';
import { ReviewComment } from '../../../src/protocol/review-comment.js';
import { ConsoleRig, sampleThread, sampleWorld, threadId } from './console-samples.js';

const id = ThreadId.parse(threadId(1));

function changed(path: string, lines: readonly string[]): ChangedPath {
  const hunk = { oldStart: 10, oldLines: 2, newStart: 10, newLines: 2, heading: '', lines: [...lines] };
  return { path, status: 'changed', kind: 'file', binary: false, added: 1, removed: 1, hunks: [hunk] };
}

const bare = withPage(noChanges(id), {
  revision: 'r',
  base: { commit: 'c', why: 'main' },
  isWorktree: true,
  totals: { files: 2, added: 2, removed: 2 },
  notes: [],
  files: [
    changed('a.ts', [' same', '-before', '+after', '\\ No newline at end of file']),
    changed('b.ts', ['+b']),
  ],
});

function comment(number: number, more: Partial<ReviewComment> = {}): ReviewComment {
  return ReviewComment.parse({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    threadId: id,
    file: 'a.ts',
    line: 11,
    side: 'new',
    body: 'Why?',
    author: 'user:owner',
    state: 'open',
    createdAt: '2026-11-18T09:00:00.000Z',
    ...more,
  });
}

function rig(comments: readonly ReviewComment[] = [], size: { columns?: number; rows?: number } = {}) {
  const changes = withComments(bare, comments);
  const world = sampleWorld({ threads: [sampleThread(1)], changes });
  return new ConsoleRig(world, { ...size, views: [{ kind: 'home' }, diffView(id)] });
}

const body = (of: ConsoleRig) => of.lines().slice(2, -3);

describe('a comment', () => {
  it('is written about the chosen line, with that line', () => {
    const at = rig().type('jjjjc');
    expect(body(at).join('\n')).toContain('Comment on a.ts:11\n > ▏');
    expect(at.type('Why not before?\r').effects).toEqual([
      {
        kind: 'comment',
        threadId: id,
        target: { kind: 'line', file: 'a.ts', line: 11, side: 'new', quote: 'after' },
        body: 'Why not before?',
        since: expect.any(Number),
      },
    ]);
  });

  it.each([
    ['jjc', { line: 10, side: 'new', quote: 'same' }],
    ['jjjc', { line: 11, side: 'old', quote: 'before' }],
  ])('%s is about %o', (keys, target) => {
    expect(rig().type(`${keys}x\r`).effects).toMatchObject([{ target: { file: 'a.ts', ...target } }]);
  });

  it.each(['c', 'jc', 'jjjjjc'])('%s is about no line, and says what to do', (keys) => {
    const at = rig().type(keys);
    expect(at.state.toast?.words).toContain('choose one with ↑ and ↓');
    // The keys after it are no comment.
    expect(at.type('x\r').effects).toEqual([]);
  });

  it('keeps its words until it has arrived', () => {
    const at = rig().type('jjjjchalf\u001B');
    expect(at.effects).toEqual([]);
    expect(body(at.type('c')).join('\n')).toContain('> half▏');
    at.type('\r');
    // Refused, or the worker is gone: the same key shows it again, and it is the same comment.
    at.type('c\r');
    const [first, second] = at.effects;
    expect(second).toEqual(first);
    const [draft = ''] = at.state.commentDrafts.keys();
    expect(body(at.tell({ kind: 'commented', draft }).type('c')).join('\n')).toContain('> ▏');
  });

  it('stands below its line, says whose it is, and is counted while it is not sent', () => {
    const lines = body(rig([comment(1), comment(2, { author: 'agent', side: 'old' })]));
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(lines[0]).toContain('1 comment not sent');
    expect(at('│ the agent, open')).toBe(at('-before') + 1);
    expect(at('│ owner, not sent')).toBe(at('+after') + 1);
  });

  it('on a line that is not shown stands at its file; on a file that is not changed, first', () => {
    const lines = body(rig([comment(1, { line: 99 }), comment(2, { file: 'gone.ts' })]));
    expect(lines[1]).toContain('gone.ts:11: owner');
    expect(lines[lines.findIndex((line) => line.includes('a.ts +1')) + 1]).toContain('line 99: owner');
  });

  it('of a person is changed, and removed by taking its words away; of an agent it is answered', () => {
    const own = rig([comment(1)]).type('jjjjjc');
    expect(body(own).join('\n')).toContain('> Why?▏');
    expect(own.type(' So?\r').effects).toMatchObject([
      { kind: 'comment', target: { kind: 'comment', id: comment(1).id }, body: 'Why? So?' },
    ]);
    expect(rig([comment(1)]).type(`jjjjjc${'\u007F'.repeat(4)}\r`).effects).toEqual([
      { kind: 'remove_comment', threadId: id, id: comment(1).id },
    ]);
    const answered = rig([comment(1, { author: 'agent' })]).type('jjjjjcYes\r');
    expect(answered.effects).toMatchObject([{ target: { kind: 'line', line: 11 }, body: 'Yes' }]);
  });

  it('is resolved, and opened again', () => {
    const act = (of: ReviewComment) => rig([of]).type('jjjjjr').effects;
    expect(act(comment(1))).toMatchObject([{ kind: 'resolve_comment', to: 'resolved' }]);
    expect(act(comment(1, { state: 'resolved' }))).toMatchObject([{ kind: 'resolve_comment', to: 'open' }]);
    expect(rig().type('r').effects).toEqual([]);
  });

  it('is sent with all that wait; without any the console says so', () => {
    expect(rig([comment(1)]).type('S').effects).toEqual([{ kind: 'send_comments', threadId: id }]);
    const none = rig([comment(1, { sentAt: '2026-11-18T10:00:00.000Z' })]).type('S');
    expect(none.effects).toEqual([]);
    expect(none.state.toast?.words).toContain('No comment waits to be sent');
    expect(rig([comment(1)]).type('S', { isRepeat: true }).effects).toEqual([]);
  });

  it('shows nothing that hides, however it is written', () => {
    const lines = body(
      rig([comment(1, { author: 'agent', body: `\u001B[2Jgo\u202Eon ${'x'.repeat(9000)}` })]),
    );
    for (const hidden of ['\u001B', '\u202E']) expect(lines.join('\n')).not.toContain(hidden);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  });
});

it('ticks files off as they stand now, and goes on to the next', () => {
  const at = rig().type('jjv');
  expect(body(at)[0]).toContain('1 of 2 viewed');
  expect(body(at).find((line) => line.startsWith('▸'))).toContain('b.ts');
  expect(body(at.type('v'))[0]).toContain('2 of 2 viewed');
  expect(body(at.type('v'))[0]).toContain('1 of 2 viewed');
  const { changes } = at.world;
  at.world = { ...at.world, changes: changes && { ...changes, revision: 'other' } };
  expect(body(at)[0]).not.toContain('viewed');
});

it.each([
  [80, 24],
  [40, 10],
  [300, 60],
])(
  'fits %i columns and %i rows, with the chosen line in sight while a comment is written',
  (columns, rows) => {
    const at = rig([comment(1), comment(2)], { columns, rows }).type(`G${'k'.repeat(3)}`);
    const chosen = () => at.lines().filter((line) => line.startsWith('▸'));
    expect(chosen()).toHaveLength(1);
    at.type(`kkkkc${'word '.repeat(80)}`);
    expect(chosen()).toHaveLength(1);
    expect(at.lines().length).toBeLessThan(rows);
    for (const line of at.lines()) expect(line.length).toBeLessThanOrEqual(columns);
  },
);
