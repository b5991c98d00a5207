import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { opencodeTerminal } from '../../../src/runtimes/opencode/terminal.js';

const sessionId = 'ses_1';
let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opencode-'));
  env = { XDG_DATA_HOME: folder };
  mkdirSync(join(folder, 'opencode'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const file = () => join(folder, 'opencode', 'opencode.db');

async function everything() {
  return {
    mark: await opencodeTerminal.mark({ env, sessionId }),
    said: await opencodeTerminal.said({ env, sessionId }),
    listed: await opencodeTerminal.list({ env, limit: 10 }),
  };
}
const nothing = { mark: null, said: { facts: [], isCut: false }, listed: [] };

describe('where OpenCode keeps its sessions', () => {
  it.each<[string, () => unknown]>([
    ['nothing', () => {}],
    ['a file of somebody else', () => writeFileSync(file(), 'This is no database.'.repeat(500))],
    ['a database without its tables', () => new Database(file()).close()],
    ['a pipe', () => execFileSync('mkfifo', [file()])],
    ['a link', () => symlinkSync('/etc/passwd', file())],
  ])('%s holds no session', async (_name, make) => {
    make();
    expect(await everything()).toEqual(nothing);
  });

  it('what makes no sense is left out, and what was there before the mark is not told', async () => {
    const database = new Database(file());
    database.exec(`
      create table session (id text primary key, parent_id text, directory text, title text,
        time_updated integer, time_archived integer);
      create table message (id text primary key, session_id text, time_created integer, data text);
      create table part (id text primary key, message_id text, session_id text, data text);
      insert into session values
        ('ses_1', null, '/w', 'Mine\nand more', 2000, null), ('ses_2', 'ses_1', '/w', 'a child', 2000, null),
        ('ses_3', null, '/w', 'archived', 2000, 1), ('ses_4', null, '/w', 'no message', 2000, null),
        ('ses_5', null, '/w', 'no time', 99999999999999999, null);
      insert into message values
        ('m1', 'ses_1', 1, '{"role":"user"}'), ('m2', 'ses_1', 2, '{"role":"user"}'),
        ('m3', 'ses_1', 3, '{"role":"assi'), ('m4', 'ses_1', 4, '{"role":"assistant"}'),
        ('m5', 'ses_5', 5, '{"role":"user"}');
      insert into part values
        ('p1', 'm1', 'ses_1', '{"type":"text","text":"before"}'), ('p2', 'm2', 'ses_1', '{"type":"text","text":"typed"}'),
        ('p3', 'm3', 'ses_1', '{"type":"text","text":"half"}'), ('p4', 'm4', 'ses_1', '{"type":"text","te'),
        ('p5', 'm4', 'ses_1', '{"type":"text","text":"reply"}'),
        ('p6', 'm4', 'ses_1', '{"type":"text","text":"' || printf('%.*c', 2000000, 'x') || '"}');
    `);
    database.close();
    expect(await opencodeTerminal.mark({ env, sessionId })).toBe('4');
    expect(await opencodeTerminal.said({ env, sessionId, after: '1' })).toEqual({
      facts: [
        { type: 'terminal_message', uuid: 'm2', text: 'typed' },
        { type: 'terminal_text', content: 'reply' },
      ],
      // One part is much too long.
      isCut: true,
    });
    expect(await opencodeTerminal.list({ env, limit: 10 })).toEqual([
      {
        runtime: 'opencode',
        sessionId,
        workspace: '/w',
        title: 'Mine',
        changedAt: '1970-01-01T00:00:02.000Z',
      },
    ]);
  });
});
