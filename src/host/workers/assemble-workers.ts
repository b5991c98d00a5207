import type { Dispatcher } from '../dispatches/dispatcher.js';
import type { LeaseRenewal } from '../dispatches/lease-renewal.js';
import type { HostEnvironment } from '../host-environment.js';
import type { NotificationSender } from '../notify/notification-sender.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { RepositoryClones } from '../workspaces/repository-clones.js';
import { AbsentWorkers } from './absent-workers.js';
import { DutyTakeOver } from './duty-take-over.js';
import { ThreadTakeOver } from './thread-take-over.js';

/** Builds what looks after the other workers of the store; nothing happens before it is opened. */
export function assembleAbsentWorkers(
  { store, settings, clock, runtimes, notify, log }: HostEnvironment,
  parts: {
    readonly changes: ThreadChanges;
    readonly dispatcher: Dispatcher;
    readonly leases: LeaseRenewal;
    readonly sender: NotificationSender;
    readonly clones: RepositoryClones;
  },
): AbsentWorkers {
  const { changes, dispatcher, leases, sender, clones } = parts;
  const { sharedFolders, absence } = settings;
  const isDraining = () => leases.isDraining;
  const takeOver = new ThreadTakeOver({ store, changes, runtimes, clock, sharedFolders, clones, isDraining });
  const duties = new DutyTakeOver({
    store,
    takeOver,
    sharedFolders,
    channels: notify.channels.map(({ name }) => name),
    wakeSender: () => sender.wake(),
    isDraining,
    log,
  });
  return new AbsentWorkers({ store, takeOver, duties, dispatcher, clock, leaseMs: absence.leaseMs, log });
}
