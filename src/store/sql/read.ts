import type { AnswerTo, Query, QueryName } from '../query.js';
import { readDispatch, readDispatches } from './dispatches.js';
import { readEvents } from './events.js';
import { readLandings } from './landings.js';
import { readOutboxDue } from './outbox.js';
import { readPipeline, readPipelinePhases, readPipelines } from './pipelines.js';
import { readPrecedents, readPrompt, readPrompts } from './prompts.js';
import type { Reader } from './reader.js';
import { readThreadSizes } from './removal.js';
import { readComment, readComments } from './review-comments.js';
import { readRule, readRules } from './rules.js';
import { readRun, readRuns } from './runs.js';
import { readSchedule, readScheduleRuns, readSchedules } from './schedules.js';
import { readSearchHits } from './search-hits.js';
import { readStanding } from './standing.js';
import { readStatusLog } from './status-log.js';
import type { Steps } from './steps.js';
import { readSessionOwners } from './terminals.js';
import { readThread, readThreads } from './threads.js';
import { readToolOutput } from './tool-outputs.js';
import { readUsage } from './usage.js';
import { readForeignWorker, readWorkers } from './workers.js';

/** Answers one query from what is committed. */
export function* readQuery(reader: Reader, { ask, input }: Query): Steps<AnswerTo<QueryName>> {
  switch (ask) {
    case 'thread':
      return yield* readThread(reader, input);
    case 'threads':
      return yield* readThreads(reader, input);
    case 'searchHits':
      return yield* readSearchHits(reader, input);
    case 'threadSizes':
      return yield* readThreadSizes(reader, input);
    case 'events':
      return yield* readEvents(reader, input);
    case 'toolOutput':
      return yield* readToolOutput(reader, input);
    case 'landings':
      return yield* readLandings(reader, input);
    case 'comment':
      return yield* readComment(reader, input);
    case 'comments':
      return yield* readComments(reader, input);
    case 'sessionOwners':
      return yield* readSessionOwners(reader, input);
    case 'run':
      return yield* readRun(reader, input);
    case 'runs':
      return yield* readRuns(reader, input);
    case 'dispatch':
      return yield* readDispatch(reader, input);
    case 'dispatches':
      return yield* readDispatches(reader, input);
    case 'prompt':
      return yield* readPrompt(reader, input);
    case 'prompts':
      return yield* readPrompts(reader, input);
    case 'precedents':
      return yield* readPrecedents(reader, input);
    case 'rule':
      return yield* readRule(reader, input);
    case 'rules':
      return yield* readRules(reader, input);
    case 'statusLog':
      return yield* readStatusLog(reader, input);
    case 'usage':
      return yield* readUsage(reader, input);
    case 'outboxDue':
      return yield* readOutboxDue(reader, input);
    case 'schedule':
      return yield* readSchedule(reader, input);
    case 'schedules':
      return yield* readSchedules(reader, input);
    case 'scheduleRuns':
      return yield* readScheduleRuns(reader, input);
    case 'pipeline':
      return yield* readPipeline(reader, input);
    case 'pipelines':
      return yield* readPipelines(reader, input);
    case 'pipelinePhases':
      return yield* readPipelinePhases(reader, input);
    case 'foreignWorker':
      return yield* readForeignWorker(reader, input);
    case 'standing':
      return yield* readStanding(reader);
    case 'workers':
      return yield* readWorkers(reader);
    default:
      return ask satisfies never;
  }
}
