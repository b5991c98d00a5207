import { RunId, ThreadId } from '../../protocol/id.js';
import type { InputOf } from '../query.js';
import type { StoredEvent } from '../stored-event.js';
import { bytesOf, pageSize, rowsWithin } from './paging.js';
import type { Reader } from './reader.js';
import type { EventRow } from './schema.js';
import { all, type Steps } from './steps.js';

export function* readEvents(reader: Reader, query: InputOf<'events'>): Steps<StoredEvent[]> {
  const { threadId, after = 0, mostBytes } = query;
  const asked = pageSize(query.limit);
  const limit = mostBytes === undefined ? asked : yield* eventsWithin(reader, { ...query, asked, mostBytes });
  const found = yield* all(rows(reader, { threadId, after, limit }).selectAll());
  return found.map(eventOf);
}

function rows(
  reader: Reader,
  { threadId, after, limit }: { threadId: ThreadId; after: number; limit: number },
) {
  return reader.build
    .selectFrom('events')
    .where('thread_id', '=', threadId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit);
}

// In SQLite the table is its own index, so a walk along it reads every row to its end: 8 ms for one of 10 MB. Few are
// looked at first.
const firstLook = 2;

/** How many of the events that were asked for fit into so many bytes; one always does. */
function* eventsWithin(
  reader: Reader,
  query: InputOf<'events'> & { readonly asked: number; readonly mostBytes: number },
): Steps<number> {
  const { threadId, after = 0, asked, mostBytes } = query;
  for (let look = firstLook; ; look *= 8) {
    const limit = Math.min(look, asked);
    const sizes = yield* all(rows(reader, { threadId, after, limit }).select(bytesOf('json')));
    const fitting = rowsWithin(sizes, mostBytes);
    if (fitting < limit) return fitting;
    if (limit === asked || sizes.length < limit) return asked;
  }
}

function eventOf(row: EventRow): StoredEvent {
  return {
    threadId: ThreadId.parse(row.thread_id),
    seq: row.seq,
    runId: row.run_id === null ? null : RunId.parse(row.run_id),
    runSeq: row.run_seq,
    type: row.type,
    timestamp: row.timestamp,
    json: row.json,
  };
}
