import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunFolders } from '../../../src/host/runs/run-folder.js';
import { RunId } from '../../../src/protocol/id.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'handraise-folders-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('what a killed worker left of runs that are over goes, and what lives stays', () => {
  const folders = new RunFolders(home);
  const [live, over] = [1, 2].map((number) => RunId.parse(`run_${String(number).padStart(26, '0')}`)) as [
    RunId,
    RunId,
  ];
  for (const run of [live, over]) {
    for (const path of [folders.spool(run), folders.launch(run)]) {
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'file'), '');
    }
    mkdirSync(join(home, 's'), { recursive: true });
    writeFileSync(folders.socket(run), '');
  }
  writeFileSync(join(home, 's', 'spare-3-1.secret'), '');
  folders.tidy([live]);
  expect([live, over].map((run) => existsSync(folders.spool(run)))).toEqual([true, false]);
  expect([live, over].map((run) => existsSync(folders.launch(run)))).toEqual([true, false]);
  expect(readdirSync(join(home, 's'))).toHaveLength(1);
  expect(existsSync(folders.socket(live))).toBe(true);
});

test('a home without runs is left as it is', () => {
  new RunFolders(home).tidy([]);
  expect(readdirSync(home)).toEqual([]);
});
