import { expect, it } from 'vitest';
import { actionSheet } from '../../../src/domain/prompts/action-sheet.js';
import { longestLine, type SheetLine } from '../../../src/domain/prompts/text-sheet.js';

const signs = { added: '+', removed: '-', same: ' ', file: '# ', remark: '! ', text: '> ' } as const;
const shown = (lines: readonly SheetLine[]) =>
  lines.map(({ kind, name, text, isContinued }) =>
    kind === 'field' ? `${name}: ${text}` : `${isContinued ? '~' : ''}${signs[kind]}${text}`,
  );
const sheet = (input: Record<string, unknown>, folder = '/work/shop') =>
  shown(actionSheet({ input }, { folder }));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

it('an edit is a difference with a path, counts and the lines around it', () => {
  const before = numbers(26).join('\n');
  const after = before.replace('line 12', 'twelve').replace('line 13', 'thirteen');
  expect(
    sheet({ file_path: '/work/shop/a.js', old_string: before, new_string: after, replace_all: false }),
  ).toEqual([
    '# a.js +2 −2',
    ' line 9',
    ' line 10',
    ' line 11',
    '-line 12',
    '-line 13',
    '+twelve',
    '+thirteen',
    ' line 14',
    ' line 15',
    ' line 16',
  ]);
});

it.each([
  [{ filePath: '/etc/a', oldString: 'a', newString: 'b' }, ['# /etc/a +1 −1', '-a', '+b']],
  [
    { path: 'a', oldText: 'a', newText: 'b', replace_all: true },
    ['# a +1 −1', '-a', '+b', 'replace_all: true'],
  ],
  [{ old_str: 'a', new_str: 'a' }, ['# +0 −0', '! (nothing changes)']],
  [{ old_string: 'a\n', new_string: 'a' }, ['# +0 −0', '! (only line ends change)']],
  [{ old_string: 'a\r\nb', new_string: 'a\nb' }, ['# +0 −0', '! (only line ends change)']],
  [
    { old_string: 'a\r\nb\r\n', new_string: 'a\nc\n' },
    ['# +1 −1', ' a', '-b', '+c', '! (line ends change too: CR LF and LF)'],
  ],
  [
    {
      file_path: '/work/shop/a',
      edits: [
        { old_string: 'a', new_string: 'b' },
        { old_string: 'c', new_string: 'd' },
      ],
    },
    ['# a', '# +1 −1', '-a', '+b', '# +1 −1', '-c', '+d'],
  ],
  [{ file_path: '/work/shop/a', content: '' }, ['# a +0 −0', '! (an empty file)']],
  [{ file_path: '/work/shop/a', content: 'x\u202Ey\n', mode: 7 }, ['# a +1 −0', '+x⟨U+202E⟩y', 'mode: 7']],
  [
    { changes: [{ path: 'a', diff: '@@ -1 +1 @@\n-a\n+b\n' }] },
    ['changes[0].path: a', 'changes[0].diff: ', '! @@ -1 +1 @@', '-a', '+b', ' '],
  ],
  [{ command: 'cd a\nls' }, ['command: ', '> cd a', '> ls']],
  [
    { 'na\u200Bme': 'x', none: null, list: [], map: {} },
    ['na⟨U+200B⟩me: x', 'none: null', 'list: []', 'map: {}'],
  ],
  [{ file_path: '/work/shop/a' }, ['file_path: /work/shop/a']],
])('%j', (input, lines) => {
  expect(sheet(input)).toEqual(lines);
});

it('shows all of a text, however long it is and wherever its end is', () => {
  const lines = sheet({ file_path: 'a', content: `${numbers(5000).join('\n')}\ncurl x | sh\n` });
  expect([lines.length, lines.at(0), lines.at(-1)]).toEqual([5002, '# a +5001 −0', '+curl x | sh']);
  const wide = actionSheet({ input: { command: `echo${' '.repeat(5000)}; curl x | sh` } });
  expect(wide.every(({ text }) => text.length <= longestLine)).toBe(true);
  expect(wide.map(({ text }) => text).join('')).toBe(`echo${' '.repeat(5000)}; curl x | sh`);
});

it('a long way to a value is told once, and the value is shown whole (CWE-407)', () => {
  const name = 'n'.repeat(30_000);
  const inside = Object.fromEntries(numbers(4000).map((each, index) => [each, index]));
  const lines = actionSheet({ input: { [name]: inside, many: numbers(200_000), last: 'rm -rf /' } });
  const text = lines.map((line) => `${line.name ?? ''}${line.text}`).join('');
  expect(text).toContain(JSON.stringify(inside));
  expect(text).toContain(JSON.stringify(numbers(200_000)));
  expect([text.includes(name), lines.at(-1)]).toEqual([
    true,
    { kind: 'field', name: 'last', text: 'rm -rf /' },
  ]);
  expect(text.length).toBeLessThan(2 * JSON.stringify([name, inside, numbers(200_000)]).length);
});

it('more fields than a person reads one by one are shown as JSON, next to what changes', () => {
  const fields = Object.fromEntries(numbers(6000).map((each) => [each, each]));
  const lines = sheet({ file_path: '/work/shop/a', content: 'x', ...fields });
  expect(lines.slice(0, 3)).toEqual(['# a +1 −0', '+x', 'input: ']);
  expect(
    lines
      .slice(3)
      .map((line) => line.replace(/^~?> /, ''))
      .join(''),
  ).toBe(JSON.stringify(fields));
});

it('many edits are shown whole, also where nobody looks for the shortest difference any more', () => {
  const edits = numbers(300).map((each) => ({
    old_string: numbers(100).join('\n'),
    new_string: numbers(100)
      .map((line) => `${line} of ${each}`)
      .join('\n'),
  }));
  const lines = actionSheet({ input: { file_path: 'a', edits } });
  expect([
    lines.filter(({ kind }) => kind === 'removed').length,
    lines.filter(({ kind }) => kind === 'added').length,
  ]).toEqual([30_000, 30_000]);
});

it('a value that is nested without end is JSON, or said to be too deep', () => {
  let deep: unknown = 'end';
  for (let depth = 0; depth < 20; depth += 1) deep = { deep };
  expect(sheet({ deep }).join('')).toContain('"end"');
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  expect(sheet({ deep }).join('')).toContain('deny it');
});
