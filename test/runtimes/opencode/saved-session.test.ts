import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { messageId } from '../../../src/runtimes/opencode/message-id.js';
import { readOpencodeSession } from '../../../src/runtimes/opencode/saved-session.js';

let folder: string;
let database: Database.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-opencode-'));
  database = new Database(join(folder, 'opencode.db'));
  database.exec('create table message (id text primary key, session_id text, data text)');
  database.exec('create table part (id text primary key, message_id text, session_id text, data text)');
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = async () =>
  await readOpencodeSession({
    sessionId: 'ses_1',
    env: { OPENCODE_DB: join(folder, 'opencode.db') },
    run: 'run',
  });

function addMessage(uuid: string): string {
  const id = messageId({ run: 'run', uuid, now: 1_700_000_000_000 });
  database.prepare('insert into message values (?, ?, ?)').run(id, 'ses_1', '{}');
  return id;
}

function addPart(message: string, data: object): void {
  const id = `prt_${JSON.stringify(data)}`;
  database.prepare('insert into part values (?, ?, ?, ?)').run(id, message, 'ses_1', JSON.stringify(data));
}

test('a message that was written without its text is not saved', async () => {
  addPart(addMessage('whole'), { type: 'text', text: 'Go on.' });
  addMessage('half');
  const saved = await read();
  expect(['whole', 'half', 'never'].map((uuid) => saved?.hasMessage(uuid))).toEqual([true, false, false]);
});

test('a call that was cut off has a result that says no more than that', async () => {
  const message = addMessage('whole');
  const call = (callID: string, state: object) => addPart(message, { type: 'tool', callID, state });
  call('done', { status: 'completed', metadata: { interrupted: true } });
  call('refused', { status: 'error', error: 'no' });
  call('cut', { status: 'error', metadata: { interrupted: true } });
  call('open', { status: 'running' });
  const saved = await read();
  const calls = ['done', 'refused', 'cut', 'open'];
  expect(calls.map((each) => saved?.hasResult(each))).toEqual([true, true, true, false]);
  expect(calls.map((each) => saved?.isCutOff?.(each))).toEqual([false, false, true, false]);
});

test('a session of which nothing was written is none', async () => {
  expect(await read()).toBeNull();
});
