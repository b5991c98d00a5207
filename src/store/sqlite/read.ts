import type { AnswerTo, Query, QueryName } from '../query.js';
import type { SqliteConnection } from './connection.js';
import { readDispatch, readDispatches } from './dispatches.js';
import { readEvents } from './events.js';
import { readLandings } from './landings.js';
import { readOutboxDue } from './outbox.js';
import { readPrompt, readPrompts } from './prompts.js';
import { readThreadSizes } from './removal.js';
import { readComment, readComments } from './review-comments.js';
import { readRun, readRuns } from './runs.js';
import { readSchedule, readScheduleRuns, readSchedules } from './schedules.js';
import { readSearchHits } from './search-hits.js';
import { readStatusLog } from './status-log.js';
import { readSessionOwners } from './terminals.js';
import { readThread, readThreads } from './threads.js';
import { readToolOutput } from './tool-outputs.js';
import { readUsage } from './usage.js';
import { readWorkers } from './workers.js';

/** Answers one query from what is committed. */
export function readQuery(connection: SqliteConnection, { ask, input }: Query): AnswerTo<QueryName> {
  switch (ask) {
    case 'thread':
      return readThread(connection, input);
    case 'threads':
      return readThreads(connection, input);
    case 'searchHits':
      return readSearchHits(connection, input);
    case 'threadSizes':
      return readThreadSizes(connection, input);
    case 'events':
      return readEvents(connection, input);
    case 'toolOutput':
      return readToolOutput(connection, input);
    case 'landings':
      return readLandings(connection, input);
    case 'comment':
      return readComment(connection, input);
    case 'comments':
      return readComments(connection, input);
    case 'sessionOwners':
      return readSessionOwners(connection, input);
    case 'run':
      return readRun(connection, input);
    case 'runs':
      return readRuns(connection, input);
    case 'dispatch':
      return readDispatch(connection, input);
    case 'dispatches':
      return readDispatches(connection, input);
    case 'prompt':
      return readPrompt(connection, input);
    case 'prompts':
      return readPrompts(connection, input);
    case 'statusLog':
      return readStatusLog(connection, input);
    case 'usage':
      return readUsage(connection, input);
    case 'outboxDue':
      return readOutboxDue(connection, input);
    case 'schedule':
      return readSchedule(connection, input);
    case 'schedules':
      return readSchedules(connection, input);
    case 'scheduleRuns':
      return readScheduleRuns(connection, input);
    case 'workers':
      return readWorkers(connection);
    default:
      return ask satisfies never;
  }
}
