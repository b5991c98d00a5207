import type { Operation, ResultOf } from '../operation.js';
import { addAttemptRun, endAttempt, setActiveTime, startAttempt } from './attempts.js';
import { insertDispatch, patchDispatch } from './dispatches.js';
import { appendEvents } from './events.js';
import { putLanding } from './landings.js';
import { acquireLease, claimDispatches, releaseLease, renewLease } from './leases.js';
import { claimOutbox, finishOutbox, forgetOutbox, postponeOutbox, putOutbox } from './outbox.js';
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
import { insertRun, patchRun } from './runs.js';
import { addScheduleRun, insertSchedule, removeSchedule, replaceSchedule } from './schedules.js';
import { appendStatus } from './status-log.js';
import { openTerminal } from './terminals.js';
import { insertThread, patchThread } from './threads.js';
import { putToolOutput } from './tool-outputs.js';
import type { Transaction } from './transaction.js';
import { addUsage } from './usage.js';
import { beatWorker } from './workers.js';

/** Does one operation inside a transaction. */
export function apply(tx: Transaction, operation: Operation): ResultOf<Operation> {
  switch (operation.do) {
    case 'insertThread':
      return insertThread(tx, operation);
    case 'patchThread':
      return patchThread(tx, operation);
    case 'openTerminal':
      return openTerminal(tx, operation);
    case 'archiveThread':
      return archiveThread(tx, operation);
    case 'dropEvents':
      return dropEvents(tx, operation);
    case 'removeThread':
      return removeThread(tx, operation);
    case 'appendStatus':
      return appendStatus(tx, operation);
    case 'addUsage':
      return addUsage(tx, operation);
    case 'appendEvents':
      return appendEvents(tx, operation);
    case 'putToolOutput':
      return putToolOutput(tx, operation);
    case 'putLanding':
      return putLanding(tx, operation);
    case 'addComment':
      return addComment(tx, operation);
    case 'replaceComment':
      return replaceComment(tx, operation);
    case 'removeComment':
      return removeComment(tx, operation);
    case 'insertRun':
      return insertRun(tx, operation);
    case 'patchRun':
      return patchRun(tx, operation);
    case 'insertDispatch':
      return insertDispatch(tx, operation);
    case 'patchDispatch':
      return patchDispatch(tx, operation);
    case 'startAttempt':
      return startAttempt(tx, operation);
    case 'addAttemptRun':
      return addAttemptRun(tx, operation);
    case 'setActiveTime':
      return setActiveTime(tx, operation);
    case 'endAttempt':
      return endAttempt(tx, operation);
    case 'claimDispatches':
      return claimDispatches(tx, operation);
    case 'acquireLease':
      return acquireLease(tx, operation);
    case 'renewLease':
      return renewLease(tx, operation);
    case 'releaseLease':
      return releaseLease(tx, operation);
    case 'openPrompt':
      return openPrompt(tx, operation);
    case 'unmarkConsumed':
      return unmarkConsumed(tx, operation);
    case 'patchPrompt':
      return patchPrompt(tx, operation);
    case 'holdAnswer':
      return holdAnswer(tx, operation);
    case 'undoAnswer':
      return undoAnswer(tx, operation);
    case 'acceptAnswer':
      return acceptAnswer(tx, operation);
    case 'markDelivered':
      return markDelivered(tx, operation);
    case 'markConsumed':
      return markConsumed(tx, operation);
    case 'markTold':
      return markTold(tx, operation);
    case 'dropAnswer':
      return dropAnswer(tx, operation);
    case 'settlePrompt':
      return settlePrompt(tx, operation);
    case 'putOutbox':
      return putOutbox(tx, operation);
    case 'claimOutbox':
      return claimOutbox(tx, operation);
    case 'finishOutbox':
      return finishOutbox(tx, operation);
    case 'postponeOutbox':
      return postponeOutbox(tx, operation);
    case 'forgetOutbox':
      return forgetOutbox(tx, operation);
    case 'insertSchedule':
      return insertSchedule(tx, operation);
    case 'replaceSchedule':
      return replaceSchedule(tx, operation);
    case 'removeSchedule':
      return removeSchedule(tx, operation);
    case 'addScheduleRun':
      return addScheduleRun(tx, operation);
    case 'beatWorker':
      return beatWorker(tx, operation);
    default:
      return operation satisfies never;
  }
}
