import { createHash } from 'node:crypto';
import type { PushMessage } from '../../protocol/push.js';
import type { OutboundPost } from '../notify/outbound-post.js';
import type { StoredDevice } from './push-devices.js';
import { encryptedPush, longestPushText } from './push-encryption.js';
import { type VapidKeys, vapidHeader } from './vapid.js';

// A question of yesterday is found in the inbox.
const keptSeconds = 24 * 60 * 60;

/** A message for one device, as its push service takes it; the service sees when and whose, and none of the words. */
export function pushPost(
  message: PushMessage,
  device: Pick<StoredDevice, 'endpoint' | 'keys'>,
  by: {
    readonly vapid: VapidKeys;
    readonly subject: string;
    readonly now: number;
    readonly randomBytes: (length: number) => Uint8Array;
  },
): OutboundPost<Uint8Array> {
  return {
    url: device.endpoint,
    allowPrivate: false,
    headers: {
      authorization: vapidHeader(by.vapid, { ...by, endpoint: device.endpoint }),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(keptSeconds),
      urgency: message.promptId === undefined ? 'normal' : 'high',
      // A repeat takes the place of what waits at the service; 32 characters are allowed.
      topic: createHash('sha256').update(message.tag).digest('base64url').slice(0, 32),
    },
    body: encryptedPush(fitting(message), device.keys, by.randomBytes),
  };
}

/** The options come first; of a long text as much is left out as does not fit. */
function fitting(message: PushMessage): string {
  const text = JSON.stringify(message);
  return Buffer.byteLength(text) <= longestPushText ? text : JSON.stringify({ ...message, body: '' });
}
