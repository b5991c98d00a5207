import { onTestFinished } from 'vitest';
import type { ChannelConfig } from '../../../src/host/notify/channel-config.js';
import {
  NotificationSender,
  type NotificationSenderOutside,
} from '../../../src/host/notify/notification-sender.js';
import { Notifications } from '../../../src/host/notify/notifications.js';
import type { ThreadEventBody } from '../../../src/protocol/thread-event.js';
import type { OutboxEntry } from '../../../src/store/outbox-entry.js';
import type { Store } from '../../../src/store/store.js';
import { at, done } from '../../contract/store/records.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type SqlitePlace, sqlitePlace } from '../../store/sqlite/place.js';
import { publicUrl, thread } from './samples.js';

/** A sender on a store of its own, with a clock that the test moves. */
export class SenderStage {
  readonly log: string[] = [];
  bells = 0;
  now = Date.parse(at(0));
  readonly place: SqlitePlace;
  #store: Store;
  readonly #outside: Partial<NotificationSenderOutside>;
  readonly channels: readonly ChannelConfig[];
  #sender: NotificationSender | null = null;

  static async open(
    channels: readonly ChannelConfig[],
    outside: Partial<NotificationSenderOutside> = {},
  ): Promise<SenderStage> {
    const place = await sqlitePlace();
    const stage = new SenderStage(place, await place.open(), channels, outside);
    onTestFinished(async () => {
      await stage.leave();
      await stage.store.close();
      await place.remove();
    });
    return stage;
  }

  private constructor(
    place: SqlitePlace,
    store: Store,
    channels: readonly ChannelConfig[],
    outside: Partial<NotificationSenderOutside>,
  ) {
    this.place = place;
    this.#store = store;
    this.channels = channels;
    this.#outside = outside;
  }

  get store(): Store {
    return this.#store;
  }

  /** Lets another worker have the store for a while. */
  async lend(use: () => Promise<void>): Promise<void> {
    await this.#store.close();
    try {
      await use();
    } finally {
      this.#store = await this.place.open();
    }
  }

  /** Starts to send, or looks again. */
  wake(): void {
    if (this.#sender) this.#sender.wake();
    else
      this.#sender = NotificationSender.open({
        store: this.#store,
        channels: this.channels,
        now: () => this.now,
        resolve: () => Promise.reject(new Error('no names here')),
        desktop: { platform: 'linux', env: { PATH: this.place.folder } },
        writeBell: () => {
          this.bells += 1;
        },
        log: (line) => this.log.push(line),
        ...this.#outside,
      });
  }

  async leave(): Promise<void> {
    const sender = this.#sender;
    this.#sender = null;
    await sender?.[Symbol.asyncDispose]();
  }

  /** Commits what follows from what is said in the thread. */
  async say(...says: ThreadEventBody[]): Promise<void> {
    const { channels } = this;
    const notifications = new Notifications({ channels, publicUrl: () => publicUrl, now: () => this.now });
    await done(this.#store, notifications.operationsFor(thread, says));
  }

  /** What waits in the outbox, due or not. */
  async waiting(): Promise<readonly OutboxEntry[]> {
    return await this.#store.query('outboxDue', { at: at(10 ** 9) });
  }

  async untilAllSent(): Promise<void> {
    await waitUntil(async () => (await this.waiting()).length === 0);
  }

  /** The one entry, once its last try has failed and the next is so many seconds away. */
  async untilPostponed(): Promise<number> {
    let seconds = 0;
    await waitUntil(async () => {
      const [entry] = await this.waiting();
      if (!entry) throw new Error('Nothing waits.');
      seconds = (Date.parse(entry.dueAt) - this.now) / 1000;
      return seconds > 0 && !this.isClaimed(entry);
    });
    return seconds;
  }

  /** A claim lasts exactly a minute; no delay does. */
  isClaimed(entry: OutboxEntry): boolean {
    return Date.parse(entry.dueAt) - this.now === 60_000;
  }
}
