import type { AnswerTo, Query, QueryName } from '../query.js';
import type { Connection } from './connection.js';
import { readDispatch, readDispatches } from './dispatches.js';
import { readEvents, readRunEvents } from './events.js';
import { readOutboxDue } from './outbox.js';
import { readPrompt, readPrompts } from './prompts.js';
import { readRun, readRuns } from './runs.js';
import { readStatusLog } from './status-log.js';
import { readLastSeqs, readThread, readThreads } from './threads.js';
import { readUsage } from './usage.js';
import { readWorkers } from './workers.js';

/** Answers one query from what is committed. */
export function answer(connection: Connection, { ask, input }: Query): AnswerTo<QueryName> {
  switch (ask) {
    case 'thread':
      return readThread(connection, input);
    case 'threads':
      return readThreads(connection, input);
    case 'lastSeqs':
      return readLastSeqs(connection, input);
    case 'events':
      return readEvents(connection, input);
    case 'runEvents':
      return readRunEvents(connection, input);
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
    case 'workers':
      return readWorkers(connection);
    default:
      return ask satisfies never;
  }
}
