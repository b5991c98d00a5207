import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openMenu } from '../../src/cli/ask/approval-menu.js';
import { consoleKeys } from '../../src/cli/console/key-table.js';
import { statusMarks } from '../../src/domain/status/status-mark.js';
import { modeWords } from '../../src/domain/words/mode-words.js';
import { promptKind } from '../../src/domain/words/prompt-words.js';
import { threadMark } from '../../src/domain/words/work-mark.js';
import { keyTable } from '../../src/web/keys/key-table.js';
import { sampleApproval, samplePrompt, sampleThread } from '../cli/console/console-samples.js';

const root = new URL('../../', import.meta.url);

/** What people read, without what only we read. */
function words(folder: string): string {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8'))
    .join('\n')
    .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
}

it.each([
  'What is to be done?',
  'May the agent use',
  'its process waits',
  'the answer wakes it',
  'equal prompts together',
  'Approve for this thread',
  'lways exactly this',
  'Edit and approve',
  'Deny with a message',
  'Cancel the question',
  'its workspace is wanted',
  'no agent was started yet',
  'It began before what is read',
  'Look again',
  'No thread fits',
  'nobody saw how',
  'claims nothing',
  'the beginning of its id is enough',
  'Raw events',
  'died by',
])('neither console nor the program says "%s" any more', (old) => {
  const said = words('src/web') + words('src/cli') + words('src/domain/words');
  expect(said.split('\n').filter((line) => line.includes(old))).toEqual([]);
});

it('names each status and each kind of prompt once', () => {
  expect(Object.values(statusMarks).map(({ word }) => word)).toEqual([
    'Starting',
    'Idle',
    'Working',
    'Question',
    'Crashed',
    'Out of memory',
    'Stopped',
    'Unknown',
  ]);
  expect([samplePrompt(1), sampleApproval(1, {}), sampleApproval(1, {}, 'plan')].map(promptKind)).toEqual([
    'Question',
    'Approval',
    'Plan',
  ]);
  const lastDispatch = { id: `dsp_01k9y${'0'.repeat(21)}`, state: 'ended', result: 'succeeded' };
  expect(threadMark(sampleThread(1, { lastDispatch })).word).toBe('Ready to review');
  expect(threadMark(sampleThread(1, { lastDispatch: { ...lastDispatch, result: 'failed' } })).word).toBe(
    'Failed',
  );
  expect([modeWords.bypassPermissions, modeWords.default]).toEqual([
    'does everything',
    'asks before it acts',
  ]);
});

it('calls each answer to an approval the same in the web console, the terminal console and the menu', () => {
  const web = keyTable.find(({ where }) => where === 'Inbox')?.keys ?? [];
  const { entries } = openMenu(sampleApproval(1, { command: 'ls' }), {
    editedInput: true,
    denyWithMessage: true,
  });
  for (const key of ['y', 'a', 'e', 'd', 'm']) {
    const named = [
      web.find(({ shown }) => shown === key)?.words,
      consoleKeys.find(({ where, keys }) => where === 'inbox' && keys.includes(key))?.words,
      entries.find(({ keys }) => keys.includes(key))?.words,
    ].map((each) => each?.replace(', in your editor', ''));
    expect(new Set(named)).toEqual(new Set([named[0]]));
    expect(named[0]).toMatch(/^(approve|always in this thread|change it first|deny|deny and say why)$/);
  }
});
