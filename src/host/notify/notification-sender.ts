import { isOpen } from '../../domain/prompts/thread-prompt.js';
import type { ChannelConfig } from '../../protocol/channel-config.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { OutboxEntry } from '../../store/outbox-entry.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { PushDelivery } from '../push/push-delivery.js';
import { askedInChat } from './asked-in-chat.js';
import { deliverNotification, type NotificationMeans } from './channel-delivery.js';
import type { DeliveryResult } from './delivery.js';
import { Notification } from './notification.js';

// Of each channel, so that one which hangs delays nobody else's.
const mostAtOnce = 4;
const firstDelayMs = 1000;
const longestDelayMs = 60 * 60 * 1000;
const giveUpAfterMs = 24 * 60 * 60 * 1000;
// The standard recommends 15 to 30 seconds.
const defaultTimeoutMs = 20_000;
// Longer than any try takes: what is not finished by then was left by a worker that died.
const claimMs = 60_000;
// So long at most until a lost wake, or a clock that was set, is noticed.
const longestSleepMs = 60_000;
const closingPatienceMs = 3_000;
const endOfTime = '9999-12-31T23:59:59.999Z';

export interface NotificationSenderParts {
  readonly store: Pick<Store, 'commit' | 'query'>;
  readonly channels: readonly ChannelConfig[];
  readonly means: NotificationMeans;
  /** Brings notifications to devices. */
  readonly push?: PushDelivery;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: (line: string) => void;
  /** How long one try may take. */
  readonly timeoutMs?: number;
}

/**
 * Sends what waits in the outbox, at least once: an entry is claimed, tried, and finished, or postponed for twice as
 * long as the last time. A worker that dies in between leaves a claim that runs out.
 */
export class NotificationSender implements AsyncDisposable {
  readonly #parts: NotificationSenderParts;
  readonly #channels: ReadonlyMap<string, ChannelConfig>;
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #closing = new AbortController();
  /** Why each channel failed last, so that an outage is one line in the log. */
  readonly #troubles = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  #closed = false;

  /** Nothing is sent before the first wake. */
  constructor(parts: NotificationSenderParts) {
    this.#parts = parts;
    this.#channels = new Map(parts.channels.map((channel) => [channel.name, channel]));
  }

  /** There may be something due. */
  wake(): void {
    if (this.#closed) return;
    this.#again = true;
    this.#looking ??= this.#look();
  }

  /** Waits a little for what is under way; what is cut off is due again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#looking;
    clearTimeout(this.#timer);
    const patience = setTimeout(() => this.#closing.abort(), closingPatienceMs);
    await Promise.all(this.#underWay.keys());
    clearTimeout(patience);
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    let sleepMs = longestSleepMs;
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        sleepMs = await this.#startDue();
      }
    } catch (error) {
      this.#parts.log(`The outbox could not be read: ${errorSentence(error)}`);
    }
    this.#looking = null;
    if (!this.#closed) this.#timer = setTimeout(() => this.wake(), sleepMs);
  }

  /** Starts what is due, as far as there is room, and says how long there is nothing more to do. */
  async #startDue(): Promise<number> {
    const { store, clock } = this.#parts;
    // Each one that ends looks again.
    const exceptKinds = this.#busyKinds();
    const [next] = await store.query('outboxDue', { at: endOfTime, limit: 1, exceptKinds });
    if (!next) return longestSleepMs;
    const at = clock.now();
    const waitMs = Date.parse(next.dueAt) - at;
    if (waitMs > 0) return Math.min(waitMs, longestSleepMs);
    // One at a time, because the next may be of a channel that has enough with this one.
    const claim = {
      do: 'claimOutbox',
      limit: 1,
      now: iso(at),
      until: iso(at + claimMs),
      exceptKinds,
    } as const;
    const claimed = await store.commit({ operations: [claim] });
    // A newer life of this worker sends instead.
    if (!claimed.committed) return longestSleepMs;
    for (const entry of claimed.results[0]) this.#start(entry);
    this.#again = true;
    return longestSleepMs;
  }

  /** The kinds of which as many are under way as may be. */
  #busyKinds(): string[] {
    const counts = new Map<string, number>();
    for (const kind of this.#underWay.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= mostAtOnce).map(([kind]) => kind);
  }

  #start(entry: OutboxEntry): void {
    const sending = this.#send(entry)
      .catch((error: unknown) => this.#parts.log(`Notification ${entry.id}: ${errorSentence(error)}`))
      .finally(() => {
        this.#underWay.delete(sending);
        this.wake();
      });
    this.#underWay.set(sending, entry.kind);
  }

  async #send(entry: OutboxEntry): Promise<void> {
    const { store, clock, log } = this.#parts;
    const finish = async () =>
      void (await store.commit({ operations: [{ do: 'finishOutbox', id: entry.id, at: instant(clock) }] }));
    const read = Notification.safeParse(entry.payload);
    const name = read.data?.channel ?? '';
    if (!read.data || !(this.#channels.has(name) || this.#parts.push?.isChannel(name))) {
      log(`Notification ${entry.id} was dropped: its channel is not in the settings any more.`);
      return await finish();
    }
    const notification = read.data;
    if (entry.tries > 1 && (await this.#isAnswered(notification))) return await finish();

    const delivery = await this.#try(entry, notification);
    if (delivery.sent) {
      this.#troubles.delete(name);
      return await finish();
    }
    this.#tell(name, delivery.why);
    if (delivery.final) return await finish();
    const dueAt = clock.now() + delayAfter(entry.tries, delivery);
    if (dueAt > Date.parse(notification.at) + giveUpAfterMs) {
      log(`Notification ${entry.id} was given up: ${name} could not be reached for a day.`);
      return await finish();
    }
    await store.commit({ operations: [{ do: 'postponeOutbox', id: entry.id, dueAt: iso(dueAt) }] });
  }

  async #try({ id }: OutboxEntry, notification: Notification): Promise<DeliveryResult> {
    const { store, clock, means, push, timeoutMs = defaultTimeoutMs } = this.#parts;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]);
    const channel = this.#channels.get(notification.channel);
    if (channel) {
      const question = await askedInChat(store, channel, notification);
      const outgoing = { id, notification, question };
      return await deliverNotification(outgoing, channel, { ...means, now: clock.now(), signal });
    }
    return push ? await push.deliver(notification, signal) : { sent: false, why: 'it is gone', final: true };
  }

  /** Whether it comes too late: nobody is to be called for a question that has its answer. */
  async #isAnswered(notification: Notification): Promise<boolean> {
    if (notification.occasion !== 'asked') return false;
    const prompt = await this.#parts.store.query('prompt', { id: notification.promptId });
    return prompt !== null && !isOpen(prompt);
  }

  #tell(channel: string, why: string): void {
    if (this.#troubles.get(channel) === why) return;
    this.#troubles.set(channel, why);
    this.#parts.log(`Notifications do not reach ${channel}: ${why}.`);
  }
}

function delayAfter(tries: number, { retryAfterMs = 0 }: { readonly retryAfterMs?: number }): number {
  return Math.min(longestDelayMs, Math.max(firstDelayMs * 2 ** (tries - 1), retryAfterMs));
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
