import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Journal } from '../../src/workspace-tools/journal.js';
import { ScratchWorkspace } from './scratch-workspace.js';

const Fact = z.object({ n: z.number() });

function journalIn(scratch: ScratchWorkspace): Journal<z.infer<typeof Fact>> {
  return new Journal(scratch.workspace, { file: 'facts.jsonl', schema: Fact });
}

test('facts come back in order, also those written at the same time', async () => {
  await using scratch = new ScratchWorkspace();
  const journal = journalIn(scratch);
  expect(await journal.read()).toEqual({ facts: [], unreadable: 0 });
  await journal.append({ n: 1 });
  await Promise.all([2, 3, 4, 5].map((n) => journal.append({ n })));
  const { facts, unreadable } = await journal.read();
  expect(facts[0]).toEqual({ n: 1 });
  expect(facts.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  expect(unreadable).toBe(0);
});

test('a torn last line is ignored, and the next fact does not stick to it', async () => {
  await using scratch = new ScratchWorkspace();
  const journal = journalIn(scratch);
  await journal.append({ n: 1 });
  appendFileSync(join(scratch.cwd, '.handraise/facts.jsonl'), '{"n":');
  expect(await journal.read()).toEqual({ facts: [{ n: 1 }], unreadable: 0 });
  await journal.append({ n: 2 });
  expect(await journal.read()).toEqual({ facts: [{ n: 1 }, { n: 2 }], unreadable: 1 });
});

test('lines that are not ours are counted, not trusted', async () => {
  await using scratch = new ScratchWorkspace();
  scratch.write('.handraise/facts.jsonl', '{"n":1}\nnonsense\n{"n":"2"}\n\n');
  expect(await journalIn(scratch).read()).toEqual({ facts: [{ n: 1 }], unreadable: 2 });
});

test('a full journal takes no more, and one that is too large is not read', async () => {
  await using scratch = new ScratchWorkspace();
  const journal = journalIn(scratch);
  scratch.write('.handraise/facts.jsonl', `${' '.repeat(4 * 1024 * 1024 - 1)}\n`);
  await expect(journal.append({ n: 1 })).rejects.toThrow('.handraise/facts.jsonl is full');
  scratch.write('.handraise/facts.jsonl', ' '.repeat(4 * 1024 * 1024 + 1));
  await expect(journal.read()).rejects.toThrow('.handraise/facts.jsonl is larger than 4194304 bytes.');
});

test('a folder that is a link is used neither to write nor to read', async () => {
  await using scratch = new ScratchWorkspace();
  symlinkSync(scratch.outside, join(scratch.cwd, '.handraise'));
  writeFileSync(join(scratch.outside, 'facts.jsonl'), '{"n":1}\n');
  const refusal = '.handraise in the workspace is a symbolic link or not a folder, and is not used.';
  await expect(journalIn(scratch).append({ n: 2 })).rejects.toThrow(refusal);
  await expect(journalIn(scratch).read()).rejects.toThrow(refusal);
  expect(readFileSync(join(scratch.outside, 'facts.jsonl'), 'utf8')).toBe('{"n":1}\n');
});

test('a dangling link in place of the folder makes nothing elsewhere', async () => {
  await using scratch = new ScratchWorkspace();
  symlinkSync(join(scratch.outside, 'new'), join(scratch.cwd, '.handraise'));
  await expect(journalIn(scratch).append({ n: 1 })).rejects.toThrow('is a symbolic link');
  expect(readdirSync(scratch.outside)).toEqual([]);
});

test.each([
  ['a symbolic link', symlinkSync, 'is a symbolic link, and is not followed.'],
  ['a hard link', linkSync, 'is a hard link to a file elsewhere, and is not written.'],
])('%s in place of the file is not written through', async (_, link, refusal) => {
  await using scratch = new ScratchWorkspace();
  const victim = join(scratch.outside, 'victim');
  writeFileSync(victim, 'mine\n');
  mkdirSync(join(scratch.cwd, '.handraise'));
  link(victim, join(scratch.cwd, '.handraise/facts.jsonl'));
  await expect(journalIn(scratch).append({ n: 1 })).rejects.toThrow(`.handraise/facts.jsonl ${refusal}`);
  expect(readFileSync(victim, 'utf8')).toBe('mine\n');
});

test('a named pipe or a folder in place of the file does not hang us', async () => {
  await using scratch = new ScratchWorkspace();
  mkdirSync(join(scratch.cwd, '.handraise'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(scratch.cwd, '.handraise/facts.jsonl')]);
  await expect(journalIn(scratch).read()).rejects.toThrow('.handraise/facts.jsonl is not a file.');
  await expect(journalIn(scratch).append({ n: 1 })).rejects.toThrow('.handraise/facts.jsonl is not a file.');
  mkdirSync(join(scratch.cwd, '.handraise/folder'));
  const folder = new Journal(scratch.workspace, { file: 'folder', schema: Fact });
  await expect(folder.read()).rejects.toThrow('.handraise/folder is not a file.');
  await expect(folder.append({ n: 1 })).rejects.toThrow('.handraise/folder is not a file.');
});
