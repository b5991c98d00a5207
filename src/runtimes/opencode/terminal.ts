import * as z from 'zod';
import {
  type Said,
  SaidFacts,
  type SavedSessionEntry,
  type SessionPlace,
} from '../../domain/run/terminal-session.js';
import { cutText } from '../../protocol/cut-text.js';
import { stringField } from '../../protocol/string-field.js';
import type { RuntimeTerminal, SessionInStore } from '../runtime-terminal.js';
import { findOpencode } from './binary.js';
import { inDatabase, type OpencodeDatabase } from './database.js';
import { takeSavedPart } from './saved-part.js';

const titleLength = 120;

const Time = z.int().min(0).max(8.64e15);
const Newest = z.object({ at: Time.nullable(), sessions: z.int() });
const TooLong = z.looseObject({ part: z.null() });
const Session = z.object({ id: z.string(), directory: z.string(), title: z.string(), at: Time });

const newestOf = `
  select (select max(time_created) from message where session_id = ?) as at,
    (select count(*) from session where id = ?) as sessions`;

// What is much too long for a thread is not read, and said to be missing; what is no JSON is nobody's words.
const partsAfter = `
  select message.id as message, json_extract(message.data, '$.role') as role,
    case when length(part.data) <= 1048576 then part.data end as part
  from message join part on part.message_id = message.id
  where message.session_id = ? and message.time_created > ?
    and json_valid(message.data)
  order by message.time_created, message.id, part.id`;

const sessionsOf = `
  select id, directory, title, time_updated as at from session
  where parent_id is null and time_archived is null
    and exists (select 1 from message where message.session_id = session.id)
  order by time_updated desc limit ?`;

/**
 * OpenCode in a terminal: a process of its own on the saved session. It can also join a running server, but whoever may do
 * that may approve, and the server's password is nobody's but its runner's.
 */
export const opencodeTerminal: RuntimeTerminal = {
  placeVariables: ['XDG_DATA_HOME', 'OPENCODE_DB'],
  command: ({ env, sessionId, posture: { model, container } }) => ({
    file: container ? 'opencode' : findOpencode(env),
    args: ['--session', sessionId, ...(model === undefined ? [] : ['--model', model])],
  }),
  mark: async ({ env, sessionId }) => {
    const newest = await inReadable(
      env,
      (database) => database.rows(newestOf, [sessionId, sessionId], Newest)[0],
    );
    return newest && newest.sessions > 0 ? String(newest.at ?? 0) : null;
  },
  said,
  list,
};

async function said({ env, sessionId, after }: SessionInStore & { readonly after?: string }): Promise<Said> {
  const facts = new SaidFacts();
  let isLeftOut = false;
  await inReadable(env, (database) => {
    database.eachRow(partsAfter, [sessionId, Number(after ?? -1)], (row) => {
      isLeftOut ||= TooLong.safeParse(row).success;
      takeSavedPart(row, facts);
      return facts.said.isCut ? 'enough' : 'more';
    });
  });
  return { ...facts.said, isCut: facts.said.isCut || isLeftOut };
}

/** The sessions that are nobody's sub-agent, newest first; OpenCode does not say which of them a script has begun. */
async function list({ env, limit }: SessionPlace & { readonly limit: number }): Promise<SavedSessionEntry[]> {
  const sessions = await inReadable(env, (database) => database.rows(sessionsOf, [limit], Session));
  return (sessions ?? []).map(({ id, directory, title, at }) => ({
    runtime: 'opencode',
    sessionId: id,
    workspace: directory,
    title: cutText(title.trim().split('\n', 1)[0] ?? '', titleLength),
    changedAt: new Date(at).toISOString(),
  }));
}

/** What an agent has made unreadable holds nothing; a file that is being written to is asked again. */
async function inReadable<Read>(
  env: SessionPlace['env'],
  read: (database: OpencodeDatabase) => Read,
): Promise<Read | undefined> {
  try {
    return await inDatabase(env, read);
  } catch (error) {
    if (stringField(error, 'code')?.startsWith('SQLITE_BUSY')) throw error;
    return undefined;
  }
}
