import type { Failure, FailureCode } from '../../protocol/failure.js';
import type { Change } from '../change.js';
import type { Query } from '../query.js';
import type { OpeningWorker } from '../sql/workers.js';
import type { CommitResult, Unit, WorkerIdentity } from '../unit.js';

/** What the thread is started with. */
export interface ThreadStart {
  readonly file: string;
  readonly worker: OpeningWorker;
}

/** How much work the thread has done; fewer commits than units is what group commit is for. */
export interface Statistics {
  readonly units: number;
  readonly commits: number;
}

/** What the thread is asked; many travel in one message, because a message costs more than a small unit. */
export type StoreRequest =
  | { readonly kind: 'commit'; readonly id: number; readonly unit: Unit }
  | { readonly kind: 'query'; readonly id: number; readonly query: Query }
  | { readonly kind: 'statistics'; readonly id: number }
  | { readonly kind: 'compact'; readonly id: number }
  | { readonly kind: 'backup'; readonly id: number; readonly file: string }
  | { readonly kind: 'close'; readonly id: number };

/** A Failure as plain data. */
export interface FailureData {
  readonly code: FailureCode;
  readonly message: string;
}

export function failureData({ code, message }: Failure): FailureData {
  return { code, message };
}

/** What the thread says about one request. */
export type StoreReply =
  | {
      readonly kind: 'commit';
      readonly id: number;
      readonly result: CommitResult;
      readonly changes: readonly Change[];
    }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: FailureData };

/** What the thread says first. */
export type Opened =
  | { readonly kind: 'opened'; readonly worker: WorkerIdentity }
  | { readonly kind: 'failed'; readonly failure: FailureData };
