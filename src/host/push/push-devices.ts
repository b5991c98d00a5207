import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import * as z from 'zod';
import { plainLine } from '../../domain/words/plain-text.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import {
  isPushService,
  PushDetail,
  PushDevice,
  type PushReport,
  type PushRequest,
} from '../../protocol/push.js';
import { type Clock, instant } from '../clock.js';
import type { PushHolder, PushNotices } from '../host.js';
import { areBrowserKeys } from './push-encryption.js';
import { applicationServerKey, areVapidKeys, newVapidKeys, VapidKeys } from './vapid.js';

const mostDevices = 50;

const StoredDevice = PushDevice.extend({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
  /** The token that it was signed in by; a device of a token that is gone is told nothing more. */
  digest: z.string(),
  detail: PushDetail,
});
export type StoredDevice = z.infer<typeof StoredDevice>;

const PushFile = z.object({ vapid: VapidKeys.refine(areVapidKeys), devices: z.array(StoredDevice) });
type PushFile = z.infer<typeof PushFile>;

export interface PushDevicesParts {
  readonly file: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Whether a token is good still. */
  readonly isHeld: (digest: string) => boolean;
  readonly log: (line: string) => void;
}

/** The devices of this home that are told when an agent asks, and the key pair that push services know it by. */
export class PushDevices implements PushNotices {
  readonly #parts: PushDevicesParts;
  #known: PushFile | undefined;

  constructor(parts: PushDevicesParts) {
    this.#parts = parts;
    this.#known = this.#read();
  }

  /** Those that may be told. */
  get devices(): readonly StoredDevice[] {
    return (this.#known?.devices ?? []).filter(
      ({ digest, endpoint }) => isPushService(endpoint) && this.#parts.isHeld(digest),
    );
  }

  get vapid(): VapidKeys | undefined {
    return this.#known?.vapid;
  }

  report(): PushReport {
    const { vapid } = this.#kept();
    return { publicKey: applicationServerKey(vapid), devices: this.devices.map(shown) };
  }

  add({ endpoint, keys, detail = 'title', device }: PushRequest, holder: PushHolder): PushDevice {
    if (!areBrowserKeys(keys)) throw new Failure('invalid', 'No browser has made these keys.');
    const kept = this.#kept();
    const added: StoredDevice = {
      id: createHash('sha256').update(endpoint).digest('hex').slice(0, 16),
      device: plainLine(device ?? '', { maxLength: 100 }) || 'A browser',
      service: new URL(endpoint).hostname,
      detail,
      ...holder,
      createdAt: instant(this.#parts.clock),
      endpoint,
      keys,
    };
    const others = this.devices.filter(({ id }) => id !== added.id);
    if (others.length >= mostDevices)
      throw new Failure('conflict', `${mostDevices} devices are told already. Remove one first.`);
    this.#write({ ...kept, devices: [...others, added] });
    return shown(added);
  }

  remove(id: string): PushDevice {
    const found = this.#known?.devices.find((each) => each.id === id);
    if (!this.#known || !found) throw new Failure('not_found', `There is no device ${id}.`);
    this.#write({ ...this.#known, devices: this.#known.devices.filter((each) => each.id !== id) });
    return shown(found);
  }

  #kept(): PushFile {
    if (!this.#known) this.#write({ vapid: newVapidKeys(), devices: [] });
    return this.#known ?? { vapid: newVapidKeys(), devices: [] };
  }

  /** A damaged file tells nobody; the first device that is added makes a new one. */
  #read(): PushFile | undefined {
    const { file, log } = this.#parts;
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
    try {
      return PushFile.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      log(`${file} cannot be used, so no device is told: ${errorSentence(error)}`);
      return undefined;
    }
  }

  /** To the disk before it counts. */
  #write(next: PushFile): void {
    const { file } = this.#parts;
    const part = `${file}.new`;
    rmSync(part, { force: true });
    const handle = openSync(part, 'wx', 0o600);
    try {
      writeFileSync(handle, `${JSON.stringify(next, null, 2)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(part, file);
    this.#known = next;
  }
}

function shown({ id, device, service, detail, actor, createdAt }: StoredDevice): PushDevice {
  return { id, device, service, detail, actor, createdAt };
}
