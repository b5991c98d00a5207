import * as z from 'zod';
import type { SavedSession } from '../../domain/run/saved-session.js';
import type { SavedSessionPlace } from '../runtime.js';
import { inDatabase, type OpencodeDatabase } from './database.js';
import { messageTail } from './message-id.js';

const Result = z.object({ id: z.string(), child: z.string().nullable(), isCutOff: z.coerce.boolean() });
const Message = z.object({ id: z.string(), hasText: z.coerce.boolean() });

const resultsOf = `
  select json_extract(data, '$.callID') as id, json_extract(data, '$.state.metadata.sessionId') as child,
    json_extract(data, '$.state.status') = 'error' and json_extract(data, '$.state.metadata.interrupted') = 1 as isCutOff
  from part
  where session_id = ? and json_extract(data, '$.type') = 'tool'
    and json_extract(data, '$.state.status') in ('completed', 'error')`;

// A message and its text are written one after the other, and a kill may come between.
const messagesOf = `
  select id, exists (
    select 1 from part where part.message_id = message.id and json_extract(part.data, '$.type') = 'text'
  ) as hasText
  from message where session_id = ?`;

/**
 * What OpenCode has written of a session, which is all that its next life knows. A call that was open when it was killed
 * stays "running" for ever, and the model is told that it was interrupted (measured). One that was open when its turn was
 * aborted has a result that says so, even if its question was answered a moment before. Null when nothing was written.
 */
export async function readOpencodeSession(
  place: SavedSessionPlace,
): Promise<SavedSession | null | undefined> {
  return await inDatabase(place.env, (database) => {
    const messages = database.rows(messagesOf, [place.sessionId], Message);
    if (messages.length === 0) return null;
    const tails = new Set(
      messages.flatMap(({ id, hasText }) => (hasText ? [id.slice(-messageTail('', '').length)] : [])),
    );
    const results = new Map(savedResults(database, place.sessionId).map((each) => [each.id, each]));
    return {
      hasResult: (toolUseId) => results.has(toolUseId),
      isCutOff: (toolUseId) => results.get(toolUseId)?.isCutOff === true,
      hasMessage: (uuid) => tails.has(messageTail(place.run, uuid)),
    };
  });
}

/** The calls that have a result; what a sub-agent was told is lost with it, unless it has reported back. */
function savedResults(database: OpencodeDatabase, sessionId: string): z.infer<typeof Result>[] {
  const own = database.rows(resultsOf, [sessionId], Result);
  const children = own.flatMap(({ child }) => (child === null ? [] : [child]));
  const theirs = children.flatMap((child) => database.rows(resultsOf, [child], Result));
  return [...own, ...theirs];
}
