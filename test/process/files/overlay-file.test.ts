import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { placeOverlay, removeOverlay } from '../../../src/process/files/overlay-file.js';

let root: string;
const path = '.claude/skills/one/SKILL.md';
const read = () => readFileSync(join(root, path), 'utf8');
const place = (body = 'lesson\n') => placeOverlay({ root, path }, body);
const remove = () => removeOverlay({ root, path });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-overlay-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a file of ours in a workspace', () => {
  test('goes again with the folders that were made for it, and no others', () => {
    mkdirSync(join(root, '.claude'));
    expect(place()).toBeUndefined();
    expect(read().startsWith('lesson\n')).toBe(true);
    remove();
    expect(readdirSync(root, { recursive: true })).toEqual(['.claude']);
    remove();
  });

  test('keeps a folder in which somebody else has put something', () => {
    place();
    writeFileSync(join(root, '.claude/skills/mine.md'), 'mine');
    remove();
    expect(new Set(readdirSync(root, { recursive: true, encoding: 'utf8' }))).toEqual(
      new Set(['.claude', '.claude/skills', '.claude/skills/mine.md']),
    );
  });

  test('that a crash left, also one of another version, is replaced and goes with its folders', () => {
    place('an older lesson\n');
    expect(place('a newer lesson\n')).toBeUndefined();
    expect(read()).toContain('a newer lesson\n');
    remove();
    expect(readdirSync(root)).toEqual([]);
  });

  test("is never put over the user's own, nor over ours once the user has changed it", () => {
    for (const text of ['mine', `${(place(), read())}mine`, read().replace('lesson', 'my lesson')]) {
      mkdirSync(join(root, '.claude/skills/one'), { recursive: true });
      writeFileSync(join(root, path), text);
      expect(place()).toContain('EEXIST');
      remove();
      expect(read()).toBe(text);
      rmSync(join(root, '.claude'), { recursive: true });
      place();
    }
  });

  test.each(['.claude', '.claude/skills', '.claude/skills/one'])('is not put behind a link: %s', (link) => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'handraise-elsewhere-'));
    mkdirSync(join(root, link, '..'), { recursive: true });
    symlinkSync(elsewhere, join(root, link));
    expect(place()).toContain('ENOTDIR');
    remove();
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(elsewhere, { recursive: true });
  });

  test('that is a link is the user’s own', () => {
    mkdirSync(join(root, '.claude/skills/one'), { recursive: true });
    symlinkSync('/dev/null', join(root, path));
    expect(place()).toContain('EEXIST');
    remove();
    expect(existsSync(join(root, path))).toBe(true);
  });
});
