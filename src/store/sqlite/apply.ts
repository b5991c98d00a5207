import type { Operation, ResultOf } from '../operation.js';
import { addAttemptRun, endAttempt, startAttempt } from './attempts.js';
import { insertDispatch, patchDispatch } from './dispatches.js';
import { appendEvents } from './events.js';
import { acquireLease, claimDispatches, releaseLease, renewLease } from './leases.js';
import { claimOutbox, finishOutbox, postponeOutbox, putOutbox } from './outbox.js';
import {
  acceptAnswer,
  markConsumed,
  markDelivered,
  openPrompt,
  patchPrompt,
  settlePrompt,
  unmarkConsumed,
} from './prompts.js';
import { insertRun, patchRun } from './runs.js';
import { appendStatus } from './status-log.js';
import { insertThread, patchThread } from './threads.js';
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
    case 'appendStatus':
      return appendStatus(tx, operation);
    case 'addUsage':
      return addUsage(tx, operation);
    case 'appendEvents':
      return appendEvents(tx, operation);
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
    case 'acceptAnswer':
      return acceptAnswer(tx, operation);
    case 'markDelivered':
      return markDelivered(tx, operation);
    case 'markConsumed':
      return markConsumed(tx, operation);
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
    case 'beatWorker':
      return beatWorker(tx, operation);
    default:
      return operation satisfies never;
  }
}
