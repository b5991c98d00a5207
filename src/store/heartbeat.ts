import type { WorkerProfile } from './stored-worker.js';

/** What a worker says to show that it lives. */
export interface Heartbeat {
  readonly at: string;
  readonly profile: WorkerProfile;
}

/** What a worker hears back; null where a later life of it has begun, so that this one is over. */
export type HeartbeatReply = { readonly isDraining: boolean } | null;
