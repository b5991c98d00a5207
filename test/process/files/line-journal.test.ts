import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LineJournal, readJournal } from '../../../src/process/files/line-journal.js';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-journal-'));
  folder = join(root, 'journal');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const all = (after = 0) => [...readJournal(folder, after)];

test('lines are numbered from 1 and read from any number on, by a writer or anyone else', async () => {
  const journal = LineJournal.open(folder);
  expect(journal.lastSeq).toBe(0);
  expect([journal.append('a'), journal.append('b\u2028ä'), journal.append('c')]).toEqual([1, 2, 3]);
  await journal.synced();
  expect(all(1)).toEqual([
    { seq: 2, text: 'b\u2028ä' },
    { seq: 3, text: 'c' },
  ]);
  expect(all(3)).toEqual([]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  journal.close();
});

test('a torn last line does not count, and the next one is not glued to it', () => {
  const journal = LineJournal.open(folder);
  journal.append('whole');
  journal.close();
  appendFileSync(join(folder, '000000000001.jsonl'), '{"half":');
  expect(all()).toEqual([{ seq: 1, text: 'whole' }]);
  const again = LineJournal.open(folder);
  expect(again.append('next')).toBe(2);
  expect(all().map(({ text }) => text)).toEqual(['whole', 'next']);
  again.close();
});

test('segments are trimmed once all they hold was acknowledged; numbers go on', () => {
  const journal = LineJournal.open(folder, { segmentBytes: 10 });
  for (let count = 1; count <= 9; count += 1) journal.append(`line ${count}`);
  const files = readdirSync(folder).length;
  journal.trim(4);
  expect(readdirSync(folder).length).toBeLessThan(files);
  expect(all(4).map(({ seq }) => seq)).toEqual([5, 6, 7, 8, 9]);
  journal.trim(9);
  expect(readdirSync(folder)).toHaveLength(1);
  journal.close();
  const again = LineJournal.open(folder, { segmentBytes: 10 });
  expect(again.append('ten')).toBe(10);
  again.close();
});

test('whatever is appended, trimmed and reopened, what is not acknowledged is there once and in order', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('append' as const),
      text: fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    }),
    fc.record({ do: fc.constant('trim' as const), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ do: fc.constant('reopen' as const) }),
    fc.record({ do: fc.constant('tear' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      rmSync(folder, { recursive: true, force: true });
      let journal = LineJournal.open(folder, { segmentBytes: 30 });
      const expected: string[] = [];
      let acknowledged = 0;
      for (const one of steps) {
        if (one.do === 'append') expect(journal.append(one.text)).toBe(expected.push(one.text));
        if (one.do === 'trim') {
          acknowledged = Math.max(acknowledged, Math.floor(one.part * expected.length));
          journal.trim(acknowledged);
        }
        if (one.do === 'reopen' || one.do === 'tear') {
          journal.close();
          if (one.do === 'tear')
            appendFileSync(join(folder, readdirSync(folder).toSorted().at(-1) ?? ''), 'torn');
          journal = LineJournal.open(folder, { segmentBytes: 30 });
        }
      }
      expect(all(acknowledged)).toEqual(
        expected.slice(acknowledged).map((text, index) => ({ seq: acknowledged + index + 1, text })),
      );
      journal.close();
    }),
  );
});
