import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configurationPlaces, configurationStamp } from '../../../src/runtimes/claude/configuration-stamp.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'stamp-'));
  write('settings.json', '{}');
});
afterEach(() => rmSync(home, { recursive: true }));

const noon = new Date(2026, 5, 1, 12);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

function stamp(at = noon): string | null {
  // Only what lies in this folder: what an administrator prescribes may be there or not.
  const places = configurationPlaces({ CLAUDE_CONFIG_DIR: home }).filter((path) => path.startsWith(home));
  return configurationStamp(places, at);
}

const changes: readonly [string, () => void][] = [
  ['settings', () => write('settings.json', '{"model":"m"}')],
  ['no settings', () => unlinkSync(join(home, 'settings.json'))],
  ['memory', () => write('CLAUDE.md', 'Use tabs.')],
  ['a skill deep inside', () => write('skills/one/SKILL.md', 'A skill.')],
  ['a plugin', () => write('plugins/installed_plugins.json', '{}')],
  ['another login', () => write('.credentials.json', '{}')],
  [
    'a skill behind a link',
    () => {
      write('elsewhere/SKILL.md', 'A skill.');
      mkdirSync(join(home, 'skills'));
      symlinkSync(join(home, 'elsewhere'), join(home, 'skills', 'linked'));
    },
  ],
];

test.for(changes)('changes with %s', ([, change]) => {
  const before = stamp();
  change();
  expect(stamp()).not.toBe(before);
});

test('stays with what Claude Code writes at each start', () => {
  const before = stamp();
  write('projects/-work/session.jsonl', '{}');
  write('.claude.json', '{}');
  write('plugins/store/builtin.json', '{}');
  expect(stamp()).toBe(before);
});

test('changes with the day', () => {
  expect(stamp(new Date(2026, 5, 2, 0, 1))).not.toBe(stamp());
  expect(stamp(new Date(2026, 5, 1, 23, 59))).toBe(stamp());
});

test('there is none where there is too much to look at, or links lead in a circle', () => {
  mkdirSync(join(home, 'agents'));
  symlinkSync(join(home, 'agents'), join(home, 'agents', 'again'));
  expect(stamp()).toBeNull();
  rmSync(join(home, 'agents'), { recursive: true });
  for (let at = 0; at < 1001; at += 1) write(`agents/${at}.md`, '');
  expect(stamp()).toBeNull();
});

test('a home is found where no folder is named', () => {
  expect(configurationPlaces({ HOME: '/home/me' })).toContain('/home/me/.claude/settings.json');
});
