import { createCipheriv, createECDH, hkdfSync } from 'node:crypto';

/** The keys that a browser made for a subscription, in base64url. */
export interface BrowserKeys {
  readonly p256dh: string;
  readonly auth: string;
}

const curve = 'prime256v1';
// Every push service takes 4096 bytes; more than the text are salt, lengths, our key, the delimiter and the tag.
export const longestPushText = 4096 - (16 + 4 + 1 + 65) - 1 - 16;

/** Whether a browser could have made these keys: a point of the curve, and a secret of sixteen bytes. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  try {
    const own = createECDH(curve);
    own.generateKeys();
    own.computeSecret(Buffer.from(p256dh, 'base64url'));
    return Buffer.from(auth, 'base64url').length === 16 && Buffer.from(p256dh, 'base64url').length === 65;
  } catch {
    return false;
  }
}

/** A text that only the browser of a subscription can read (RFC 8291, aes128gcm in one record): no push service can. */
export function encryptedPush(
  text: string,
  keys: BrowserKeys,
  randomBytes: (length: number) => Uint8Array,
): Buffer {
  const theirs = Buffer.from(keys.p256dh, 'base64url');
  const sender = createECDH(curve);
  const ours = sender.generateKeys();
  const shared = sender.computeSecret(theirs);
  const auth = Buffer.from(keys.auth, 'base64url');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = derived(shared, auth, info, 32);
  const salt = Buffer.from(randomBytes(16));
  const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // The delimiter says that this record is the last.
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.of(2)), cipher.final()]);
  const recordSize = Buffer.alloc(4);
  recordSize.writeUInt32BE(4096);
  return Buffer.concat([salt, recordSize, Buffer.of(ours.length), ours, sealed, cipher.getAuthTag()]);
}

function derived(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
