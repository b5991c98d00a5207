import type { OutboxEntry } from '../../store/outbox-entry.js';
import type { Store } from '../../store/store.js';
import { isOpen } from '../thread-state.js';
import type { ChannelConfig } from './channel-config.js';
import { deliver, type Means } from './letter.js';
import { Notification } from './notification.js';

const mostAtOnce = 16;
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

export interface NotificationSenderOutside extends Omit<Means, 'signal'> {
  readonly store: Pick<Store, 'commit' | 'query'>;
  readonly channels: readonly ChannelConfig[];
  readonly log: (line: string) => void;
  /** How long one try may take. */
  readonly timeoutMs?: number;
}

/**
 * Sends what waits in the outbox, at least once: an entry is claimed, tried, and finished, or postponed for twice as
 * long as the last time. A worker that dies in between leaves a claim that runs out.
 */
export class NotificationSender implements AsyncDisposable {
  readonly #outside: NotificationSenderOutside;
  readonly #channels: ReadonlyMap<string, ChannelConfig>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** Why each channel failed last, so that an outage is one line in the log. */
  readonly #troubles = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  #closed = false;

  private constructor(outside: NotificationSenderOutside) {
    this.#outside = outside;
    this.#channels = new Map(outside.channels.map((channel) => [channel.name, channel]));
  }

  static open(outside: NotificationSenderOutside): NotificationSender {
    const sender = new NotificationSender(outside);
    sender.wake();
    return sender;
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
    await Promise.all(this.#underWay);
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
      this.#outside.log(`The outbox could not be read: ${words(error)}`);
    }
    this.#looking = null;
    if (!this.#closed) this.#timer = setTimeout(() => this.wake(), sleepMs);
  }

  /** Starts what is due, as far as there is room, and says how long there is nothing more to do. */
  async #startDue(): Promise<number> {
    const { store, now } = this.#outside;
    // Each one that ends looks again.
    const room = mostAtOnce - this.#underWay.size;
    if (room <= 0) return longestSleepMs;
    const [next] = await store.query('outboxDue', { at: endOfTime, limit: 1 });
    if (!next) return longestSleepMs;
    const at = now();
    const waitMs = Date.parse(next.dueAt) - at;
    if (waitMs > 0) return Math.min(waitMs, longestSleepMs);
    const claim = { do: 'claimOutbox', limit: room, now: iso(at), until: iso(at + claimMs) } as const;
    const claimed = await store.commit({ operations: [claim] });
    // A newer life of this worker sends instead.
    if (!claimed.committed) return longestSleepMs;
    for (const entry of claimed.results[0]) this.#start(entry);
    this.#again = true;
    return longestSleepMs;
  }

  #start(entry: OutboxEntry): void {
    const sending = this.#send(entry)
      .catch((error: unknown) => this.#outside.log(`Notification ${entry.id}: ${words(error)}`))
      .finally(() => {
        this.#underWay.delete(sending);
        this.wake();
      });
    this.#underWay.add(sending);
  }

  async #send(entry: OutboxEntry): Promise<void> {
    const { store, now, log, timeoutMs = defaultTimeoutMs } = this.#outside;
    const finish = async () =>
      void (await store.commit({ operations: [{ do: 'finishOutbox', id: entry.id, at: iso(now()) }] }));
    const read = Notification.safeParse(entry.payload);
    const channel = this.#channels.get(read.data?.channel ?? '');
    if (!read.data || !channel) {
      log(`Notification ${entry.id} is dropped: there is no such channel here.`);
      return await finish();
    }
    const notification = read.data;
    if (entry.tries > 1 && (await this.#isAnswered(notification))) return await finish();

    const delivery = await deliver({ id: entry.id, notification }, channel, {
      ...this.#outside,
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (delivery.sent) {
      this.#troubles.delete(channel.name);
      return await finish();
    }
    this.#tell(channel.name, delivery.why);
    if (delivery.final) return await finish();
    const dueAt = now() + delayAfter(entry.tries, delivery);
    if (dueAt > Date.parse(notification.at) + giveUpAfterMs) {
      log(`Notification ${entry.id} is given up: in a day ${channel.name} could not be told.`);
      return await finish();
    }
    await store.commit({ operations: [{ do: 'postponeOutbox', id: entry.id, dueAt: iso(dueAt) }] });
  }

  /** Whether it comes too late: nobody is to be called for a question that has its answer. */
  async #isAnswered(notification: Notification): Promise<boolean> {
    if (notification.occasion !== 'asked') return false;
    const prompt = await this.#outside.store.query('prompt', { id: notification.promptId });
    return prompt !== null && !isOpen(prompt);
  }

  #tell(channel: string, why: string): void {
    if (this.#troubles.get(channel) === why) return;
    this.#troubles.set(channel, why);
    this.#outside.log(`Notifications do not reach ${channel}: ${why}.`);
  }
}

function delayAfter(tries: number, { retryAfterMs = 0 }: { readonly retryAfterMs?: number }): number {
  return Math.min(longestDelayMs, Math.max(firstDelayMs * 2 ** (tries - 1), retryAfterMs));
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
