import type { ChangeFilter } from './change.js';
import type { Heartbeat, HeartbeatReply } from './heartbeat.js';
import type { Operation } from './operation.js';
import type { AnswerTo, InputOf, QueryName } from './query.js';
import type { Subscription } from './subscription.js';
import type { CommitResult, Unit, WorkerIdentity } from './unit.js';

/**
 * Where everything durable lives. What a commit acknowledged is there after any crash; what it did not acknowledge
 * may be there too, so what is appended carries numbers that make repeating harmless.
 * What cannot go on, a full disk for one, is thrown as a Failure.
 */
export interface Store extends AsyncDisposable {
  /** This life of this worker: opening the store raised the epoch, and older lives are refused from then on. */
  readonly worker: WorkerIdentity;

  /** Whether other workers may write to it too. */
  readonly isShared: boolean;

  /** Does all operations of a unit, or none. */
  commit<const Operations extends readonly Operation[]>(
    unit: Unit<Operations>,
  ): Promise<CommitResult<Operations>>;

  /** Sees every unit that was acknowledged before it was asked. */
  query<Name extends QueryName>(name: Name, input: InputOf<Name>): Promise<AnswerTo<Name>>;

  /** Says that this worker lives. It waits for nothing else that was asked of the store where others may take the worker for gone. */
  beat(heartbeat: Heartbeat): Promise<HeartbeatReply>;

  /** Tells of changes once they are committed, never before. */
  subscribe(filter?: ChangeFilter & { readonly capacity?: number }): Subscription;

  /** Gives the room of what was removed back to the disk; everything else waits meanwhile. */
  compact(): Promise<void>;

  /**
   * Writes everything that was acknowledged into a new file, as of one moment, while work goes on; everything else that is
   * asked of the store waits meanwhile. Refuses a file that is there, and a store whose server makes backups.
   */
  backup(file: string): Promise<void>;

  /** Finishes what was asked for, then lets go of the database. */
  close(): Promise<void>;
}
