import { onTestFinished } from 'vitest';
import {
  NotificationSender,
  type NotificationSenderParts,
} from '../../../src/host/notify/notification-sender.js';
import { Notifications } from '../../../src/host/notify/notifications.js';
import type { ChannelConfig } from '../../../src/protocol/channel-config.js';
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
  readonly #parts: Partial<NotificationSenderParts>;
  readonly channels: readonly ChannelConfig[];
  #sender: NotificationSender | null = null;

  static async open(
    channels: readonly ChannelConfig[],
    parts: Partial<NotificationSenderParts> = {},
  ): Promise<SenderStage> {
    const place = await sqlitePlace();
    const stage = new SenderStage(place, await place.open(), channels, parts);
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
    parts: Partial<NotificationSenderParts>,
  ) {
    this.place = place;
    this.#store = store;
    this.channels = channels;
    this.#parts = parts;
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
    this.#sender ??= this.#newSender();
    this.#sender.wake();
  }

  async leave(): Promise<void> {
    const sender = this.#sender;
    this.#sender = null;
    await sender?.[Symbol.asyncDispose]();
  }

  #clock() {
    return { now: () => this.now };
  }

  #newSender(): NotificationSender {
    return new NotificationSender({
      store: this.#store,
      channels: this.channels,
      means: {
        resolve: () => Promise.reject(new Error('no names here')),
        desktop: { platform: 'linux', env: { PATH: this.place.folder } },
        writeBell: () => {
          this.bells += 1;
        },
      },
      clock: this.#clock(),
      log: (line) => this.log.push(line),
      ...this.#parts,
    });
  }

  /** Commits what follows from what is said in the thread. */
  async say(...says: ThreadEventBody[]): Promise<void> {
    const { channels } = this;
    const notifications = new Notifications({ channels, publicUrl, clock: this.#clock() });
    await done(this.#store, notifications.operationsFor(thread, says));
  }

  /** What waits in the outbox, due or not. */
  async waiting(): Promise<readonly OutboxEntry[]> {
    return await this.#store.query('outboxDue', { at: at(10 ** 9) });
  }

  async untilAllSent(): Promise<void> {
    await waitUntil('everything was sent', async () => (await this.waiting()).length === 0);
  }

  /** The one entry, once its last try has failed and the next is so many seconds away. */
  async untilPostponed(): Promise<number> {
    let seconds = 0;
    await waitUntil('the next try is later', async () => {
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
