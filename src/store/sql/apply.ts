import type { Operation, ResultOf } from '../operation.js';
import { addAttemptRun, endAttempt, setActiveTime, startAttempt } from './attempts.js';
import { insertDispatch, patchDispatch } from './dispatches.js';
import { putLanding } from './landings.js';
import { acquireLease, claimDispatches, releaseLease, renewLease } from './leases.js';
import { claimOutbox, finishOutbox, forgetOutbox, postponeOutbox, putOutbox } from './outbox.js';
import { insertPipeline, replacePipeline } from './pipelines.js';
import {
  acceptAnswer,
  dropAnswer,
  holdAnswer,
  markConsumed,
  markDelivered,
  markTold,
  openPrompt,
  patchPrompt,
  settlePrompt,
  undoAnswer,
  unmarkConsumed,
} from './prompts.js';
import { archiveThread, dropEvents, removeThread } from './removal.js';
import { addComment, removeComment, replaceComment } from './review-comments.js';
import { insertRule, switchRule, useRule } from './rules.js';
import { insertRun, patchRun } from './runs.js';
import {
  addScheduleRun,
  insertSchedule,
  raiseScheduleBudget,
  removeSchedule,
  replaceSchedule,
} from './schedules.js';
import { appendStatus } from './status-log.js';
import type { Steps } from './steps.js';
import { takeOverDuties, takeOverThread } from './take-over.js';
import { openTerminal } from './terminals.js';
import { insertThread, patchThread } from './threads.js';
import { putToolOutput } from './tool-outputs.js';
import type { Transaction } from './transaction.js';
import { addResources, addUsage } from './usage.js';
import { beatWorker, drainWorker } from './workers.js';

/** Does one operation inside a transaction. */
export function* apply(tx: Transaction, operation: Operation): Steps<ResultOf<Operation>> {
  switch (operation.do) {
    case 'insertThread':
      return yield* insertThread(tx, operation);
    case 'patchThread':
      return yield* patchThread(tx, operation);
    case 'openTerminal':
      return yield* openTerminal(tx, operation);
    case 'archiveThread':
      return yield* archiveThread(tx, operation);
    case 'dropEvents':
      return yield* dropEvents(tx, operation);
    case 'removeThread':
      return yield* removeThread(tx, operation);
    case 'appendStatus':
      return yield* appendStatus(tx, operation);
    case 'addUsage':
      return yield* addUsage(tx, operation);
    case 'addResources':
      return yield* addResources(tx, operation);
    case 'appendEvents':
      return yield* tx.appendEvents(operation);
    case 'putToolOutput':
      return yield* putToolOutput(tx, operation);
    case 'putLanding':
      return yield* putLanding(tx, operation);
    case 'addComment':
      return yield* addComment(tx, operation);
    case 'replaceComment':
      return yield* replaceComment(tx, operation);
    case 'removeComment':
      return yield* removeComment(tx, operation);
    case 'insertRun':
      return yield* insertRun(tx, operation);
    case 'patchRun':
      return yield* patchRun(tx, operation);
    case 'insertDispatch':
      return yield* insertDispatch(tx, operation);
    case 'patchDispatch':
      return yield* patchDispatch(tx, operation);
    case 'startAttempt':
      return yield* startAttempt(tx, operation);
    case 'addAttemptRun':
      return yield* addAttemptRun(tx, operation);
    case 'setActiveTime':
      return yield* setActiveTime(tx, operation);
    case 'endAttempt':
      return yield* endAttempt(tx, operation);
    case 'claimDispatches':
      return yield* claimDispatches(tx, operation);
    case 'acquireLease':
      return yield* acquireLease(tx, operation);
    case 'renewLease':
      return yield* renewLease(tx, operation);
    case 'releaseLease':
      return yield* releaseLease(tx, operation);
    case 'openPrompt':
      return yield* openPrompt(tx, operation);
    case 'unmarkConsumed':
      return yield* unmarkConsumed(tx, operation);
    case 'patchPrompt':
      return yield* patchPrompt(tx, operation);
    case 'holdAnswer':
      return yield* holdAnswer(tx, operation);
    case 'undoAnswer':
      return yield* undoAnswer(tx, operation);
    case 'acceptAnswer':
      return yield* acceptAnswer(tx, operation);
    case 'markDelivered':
      return yield* markDelivered(tx, operation);
    case 'markConsumed':
      return yield* markConsumed(tx, operation);
    case 'markTold':
      return yield* markTold(tx, operation);
    case 'dropAnswer':
      return yield* dropAnswer(tx, operation);
    case 'settlePrompt':
      return yield* settlePrompt(tx, operation);
    case 'putOutbox':
      return yield* putOutbox(tx, operation);
    case 'claimOutbox':
      return yield* claimOutbox(tx, operation);
    case 'finishOutbox':
      return yield* finishOutbox(tx, operation);
    case 'postponeOutbox':
      return yield* postponeOutbox(tx, operation);
    case 'forgetOutbox':
      return yield* forgetOutbox(tx, operation);
    case 'insertSchedule':
      return yield* insertSchedule(tx, operation);
    case 'replaceSchedule':
      return yield* replaceSchedule(tx, operation);
    case 'raiseScheduleBudget':
      return yield* raiseScheduleBudget(tx, operation);
    case 'removeSchedule':
      return yield* removeSchedule(tx, operation);
    case 'addScheduleRun':
      return yield* addScheduleRun(tx, operation);
    case 'insertPipeline':
      return yield* insertPipeline(tx, operation);
    case 'replacePipeline':
      return yield* replacePipeline(tx, operation);
    case 'insertRule':
      return yield* insertRule(tx, operation);
    case 'switchRule':
      return yield* switchRule(tx, operation);
    case 'useRule':
      return yield* useRule(tx, operation);
    case 'beatWorker':
      return yield* beatWorker(tx, operation);
    case 'drainWorker':
      return yield* drainWorker(tx, operation);
    case 'takeOverThread':
      return yield* takeOverThread(tx, operation);
    case 'takeOverDuties':
      return yield* takeOverDuties(tx, operation);
    default:
      return operation satisfies never;
  }
}
