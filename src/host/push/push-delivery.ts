import { randomBytes } from 'node:crypto';
import { isOpen, shownPrompt } from '../../domain/prompts/thread-prompt.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Store } from '../../store/store.js';
import type { DeliveryResult } from '../notify/delivery.js';
import type { Notification } from '../notify/notification.js';
import { ask, type OutboundMeans, type Resolve } from '../notify/outbound-post.js';
import type { PushDevices } from './push-devices.js';
import { pushMessage } from './push-message.js';
import { pushPost } from './push-post.js';

const beginning = 'push:';
const occasions = ['asked', 'finished', 'failed'] as const;

export interface PushDeliveryParts {
  readonly store: Pick<Store, 'query'>;
  readonly devices: PushDevices;
  readonly resolve: Resolve;
  /** Where the console is found; push services may want to know who sends. */
  readonly publicUrl: string;
  readonly clock: { readonly now: () => number };
  readonly log: (line: string) => void;
}

/** Brings notifications to devices, each of which is a channel of its own. */
export class PushDelivery {
  readonly #parts: PushDeliveryParts;

  constructor(parts: PushDeliveryParts) {
    this.#parts = parts;
  }

  channels(): readonly { readonly name: string; readonly on: readonly string[] }[] {
    return this.#parts.devices.devices.map(({ id }) => ({ name: `${beginning}${id}`, on: occasions }));
  }

  isChannel(name: string): boolean {
    return name.startsWith(beginning);
  }

  /** Tries once. A device whose service knows it no more is forgotten. */
  async deliver(notification: Notification, signal: AbortSignal): Promise<DeliveryResult> {
    const { devices, publicUrl, clock, resolve, log } = this.#parts;
    const device = devices.devices.find(({ id }) => `${beginning}${id}` === notification.channel);
    const { vapid } = devices;
    if (!device || !vapid) return { sent: false, why: 'this device is not to be told any more', final: true };
    const prompt = await this.#askedPrompt(notification);
    const message = pushMessage(notification, { detail: device.detail, prompt });
    const subject = publicUrl.startsWith('https:') ? publicUrl : 'mailto:nobody@localhost';
    const post = pushPost(message, device, { vapid, subject, now: clock.now(), randomBytes });
    const means: OutboundMeans = { resolve, signal };
    const answer = await ask(post, means);
    if (!answer.answered) return { sent: false, why: answer.why };
    const { status, retryAfterMs } = answer;
    if (status >= 200 && status < 300) return { sent: true };
    const isGone = status === 404 || status === 410;
    if (isGone) {
      log(`${device.device} is not told any more: its push service does not know it.`);
      devices.remove(device.id);
    }
    const why = `its push service answered ${status}`;
    // What is too large or malformed stays so.
    if (isGone || status === 400 || status === 413) return { sent: false, why, final: true };
    return { sent: false, why, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }

  async #askedPrompt(notification: Notification): Promise<Prompt | undefined> {
    if (notification.occasion !== 'asked') return undefined;
    const prompt = await this.#parts.store.query('prompt', { id: notification.promptId });
    return prompt && isOpen(prompt) ? shownPrompt(prompt) : undefined;
  }
}
