import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type Database from 'libsql';
import * as z from 'zod';
import type { SavedSession } from '../../domain/run/saved-session.js';
import type { SavedSessionPlace } from '../runtime.js';
import { messageTail } from './message-id.js';

const waitMs = 5000;

const Result = z.object({ id: z.string(), child: z.string().nullable() });
const Message = z.object({ id: z.string() });

const resultsOf = `
  select json_extract(data, '$.callID') as id, json_extract(data, '$.state.metadata.sessionId') as child
  from part
  where session_id = ? and json_extract(data, '$.type') = 'tool'
    and json_extract(data, '$.state.status') in ('completed', 'error')`;

const messagesOf = `select id from message where session_id = ?`;

/**
 * What OpenCode has written of a session, which is all that its next life knows. A call that was open when it was killed
 * stays "running" for ever, and the model is told that it was interrupted (measured). Null when nothing was written.
 */
export async function readOpencodeSession(
  place: SavedSessionPlace,
): Promise<SavedSession | null | undefined> {
  const file = databaseFile(place.env);
  if (!existsSync(file)) return undefined;
  const { default: Opened } = await import('libsql');
  const database = new Opened(file, { readonly: true, timeout: waitMs });
  try {
    const messages = z.array(Message).parse(database.prepare(messagesOf).all(place.sessionId));
    if (messages.length === 0) return null;
    const tails = new Set(messages.map(({ id }) => id.slice(-messageTail('', '').length)));
    const results = new Set(savedResults(database, place.sessionId));
    return {
      hasResult: (toolUseId) => results.has(toolUseId),
      hasMessage: (uuid) => tails.has(messageTail(place.run, uuid)),
    };
  } finally {
    database.close();
  }
}

/** The calls that have a result; what a sub-agent was told is lost with it, unless it has reported back. */
function savedResults(database: Database.Database, sessionId: string): string[] {
  const own = z.array(Result).parse(database.prepare(resultsOf).all(sessionId));
  const children = own.flatMap(({ child }) => (child === null ? [] : [child]));
  const theirs = children.flatMap((child) => z.array(Result).parse(database.prepare(resultsOf).all(child)));
  return [...own, ...theirs].map(({ id }) => id);
}

function databaseFile(env: Readonly<Record<string, string>>): string {
  const data = join(env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? '/', '.local', 'share'), 'opencode');
  const named = env['OPENCODE_DB'] ?? 'opencode.db';
  return isAbsolute(named) ? named : join(data, named);
}
