import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { showOnDesktop } from '../../../src/host/notify/desktop.js';
import { waitUntil } from '../../harness/wait-until.js';
import { asked } from './samples.js';

const patient = new AbortController().signal;

/** A folder with a program of this name, which writes its arguments and environment into `seen`. */
function program(name: string, after = ''): { path: string; seen: () => { args: string[]; env: object } } {
  const folder = mkdtempSync(join(tmpdir(), 'handraise-desktop-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, name);
  const seen = join(folder, 'seen');
  writeFileSync(
    file,
    `#!${process.execPath}
const { renameSync, writeFileSync } = require('node:fs');
writeFileSync('${seen}.new', JSON.stringify({ args: process.argv.slice(2), env: process.env }));
renameSync('${seen}.new', '${seen}');
${after}
`,
  );
  chmodSync(file, 0o755);
  return { path: folder, seen: () => JSON.parse(readFileSync(seen, 'utf8')) };
}

test('notify-send gets the words as data', async () => {
  const { path, seen } = program('notify-send');
  const notification = { ...asked, title: 'Question: $(id) -u', text: '--help <b>a & b</b> \\n `id`' };
  const env = { PATH: `${path}${delimiter}/nowhere`, DISPLAY: ':7', ANTHROPIC_API_KEY: 'hunter2' };

  expect(await showOnDesktop(notification, { platform: 'linux', env, signal: patient })).toEqual({
    sent: true,
  });
  expect(seen()).toEqual({
    args: [
      '--app-name=Handraise',
      '--',
      'Question: $(id) -u',
      `--help &lt;b&gt;a &amp; b&lt;/b&gt; \\\\n \`id\`\n${asked.link}`,
    ],
    env: { PATH: env.PATH, DISPLAY: ':7' },
  });
});

test('osascript runs a script that never changes, with the words as its arguments', async () => {
  const { path, seen } = program('osascript');
  const notification = { ...asked, text: '" & (do shell script "id") & "' };

  expect(
    await showOnDesktop(notification, { platform: 'darwin', env: { PATH: path }, signal: patient }),
  ).toEqual({ sent: true });
  expect(seen().args).toEqual([
    '-e',
    'on run argv',
    '-e',
    'display notification (item 2 of argv) with title (item 1 of argv)',
    '-e',
    'end run',
    'Question: Ship it',
    `" & (do shell script "id") & "\n${asked.link}`,
  ]);
});

test('a program that is missing stays missing', async () => {
  const { path } = program('something-else');

  expect(await showOnDesktop(asked, { platform: 'linux', env: { PATH: path }, signal: patient })).toEqual({
    sent: false,
    why: 'notify-send was not found',
    final: true,
  });
});

test('a program that fails may work later', async () => {
  const { path } = program('notify-send', 'process.exit(1)');

  expect(await showOnDesktop(asked, { platform: 'linux', env: { PATH: path }, signal: patient })).toEqual({
    sent: false,
    why: 'notify-send ended with exit code 1',
  });
});

test('a program that hangs is ended', async () => {
  const { path, seen } = program('notify-send', 'setInterval(() => {}, 1000)');
  const over = new AbortController();
  const shown = showOnDesktop(asked, { platform: 'linux', env: { PATH: path }, signal: over.signal });
  await waitUntil('the program was started', () => {
    try {
      return seen().args.length > 0;
    } catch {
      return false;
    }
  });
  over.abort();

  expect(await shown).toEqual({ sent: false, why: 'notify-send ended by SIGTERM' });
});
