import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openMenu } from '../../src/cli/ask/approval-menu.js';
import { consoleKeys } from '../../src/cli/console/key-table.js';
import { keyTable } from '../../src/web/keys/key-table.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Where words for people stand. */
const told = [
  'web',
  'cli',
  'live',
  'mcp',
  'domain/words',
  'domain/status',
  'host/chat',
  'host/notify',
  'host/push',
];

/** Words that were replaced, because they said less or because another word says the same; with what is said now. */
const replaced: readonly (readonly [RegExp, string])[] = [
  [/\bwhat is to be done\?/i, 'Describe the work'],
  [/\bmay the agent use\b/i, 'Claude asks to edit src/cart.js'],
  [/\bout-of-memory kill|\boom[- ]killed\b/i, 'Out of memory'],
  [/\bits process waits\b/i, 'waiting, process kept'],
  [/\bagent is parked\b|\bis parked\b/i, 'sleeping, your answer wakes it'],
  [/\bequal (prompts|questions|approvals)\b/i, 'Answer 2 that are the same'],
  [/\bapprove for this thread\b|\balways approve\b/i, 'Always in this thread'],
  [/\bedit and approve\b/i, 'Change it first'],
  [/\bdeny with (a message|words)\b/i, 'Deny and say why'],
  [/\bcancel the (question|prompt)\b/i, 'Leave unanswered'],
  [/\bworkspace is wanted\b/i, 'Stopped to free the folder'],
  [/\bno agent was started\b/i, 'Queued'],
  [/\bit began before\b/i, 'Starts above'],
  [/\blook again\b/i, 'Refresh'],
  [/\bno thread fits\b/i, 'No work matches these filters'],
  [/\bdied by\b/i, 'ended by SIGKILL'],
  [/\bnobody saw how\b/i, 'cause unknown'],
  [/\bclaims nothing\b/i, 'no result reported'],
  [/\bbeginning of (its|the|an) id\b/i, 'its first letters'],
  [/\braw events\b/i, 'Events'],
  [/\bthe runtime['’]s own (model|default)\b/i, 'default model'],
];

/** A file without its comments, on one line: words that are parted by a line end or a space of the markup are found. */
function toldIn(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '')
    .replaceAll(/\s+/g, ' ');
}

function oldWords(file: string, text: string): string[] {
  const words = toldIn(text);
  return replaced.flatMap(([old, instead]) => {
    const [found] = old.exec(words) ?? [];
    return found === undefined ? [] : [`${file}: "${found}" (say: ${instead})`];
  });
}

test('no text of the program says in other words what has its word', () => {
  const files = told.flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((file) => oldWords(file, readFileSync(join(source, file), 'utf8')))).toEqual([]);
});

test('an old word is found in a string, a template and markup, and not in a comment', () => {
  const text =
    '// Look again\nconst a = `${b} look\n again`; const c = <p title="Raw events">No thread\n fits.</p>;\nconst d = "died by " + e;';
  expect(oldWords('a.tsx', text)).toEqual([
    'a.tsx: "look again" (say: Refresh)',
    'a.tsx: "No thread fits" (say: No work matches these filters)',
    'a.tsx: "died by" (say: ended by SIGKILL)',
    'a.tsx: "Raw events" (say: Events)',
  ]);
});

test('a decision has the same words in the web console, in the terminal console and where the CLI asks', () => {
  const decisions = ['y', 'a', 'e', 'd', 'm'];
  const inTerminal = new Map(
    consoleKeys
      .filter(({ where }) => where === 'inbox')
      .flatMap(({ keys, words }) => keys.map((key) => [key, short(words)])),
  );
  const inWeb = new Map(
    keyTable
      .filter(({ where }) => where === 'Inbox')
      .flatMap(({ keys }) =>
        keys.flatMap(({ bound, words }) => bound.map((key): [string, string] => [key, short(words)])),
      ),
  );
  const action = { tool: 'Bash', input: { command: 'true' }, digest: 'd' };
  const { entries } = openMenu({ action }, { editedInput: true, denyWithMessage: true }, 'unread');
  const inMenu = new Map(
    entries.flatMap(({ keys, words }) => keys.split('').map((key) => [key, short(words)])),
  );
  const said = {
    y: 'approve',
    a: 'always in this thread',
    e: 'change it first',
    d: 'deny',
    m: 'deny and say why',
  };
  for (const words of [inTerminal, inWeb, inMenu])
    expect(Object.fromEntries(decisions.map((key) => [key, words.get(key)]))).toEqual(said);
  expect(inWeb.get('=')).toBe(inTerminal.get('='));
  expect(inWeb.get('z')).toBe(inTerminal.get('z'));

  const form = toldIn(readFileSync(join(source, 'web/inbox/approval-form.tsx'), 'utf8')).toLowerCase();
  for (const words of [...Object.values(said), inMenu.get('u')]) expect(form).toContain(`> ${words} <`);
});

/** Without what only one of them can say: that a terminal opens an editor. */
function short(words: string): string {
  return words.replace(/, in your editor$/, '');
}
