import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import * as z from 'zod';

/** The key pair by which push services know this worker again (RFC 8292), as a JWK. */
export const VapidKeys = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});
export type VapidKeys = z.infer<typeof VapidKeys>;

// At most a day is allowed; a clock that is wrong by hours is still believed.
const validSeconds = 12 * 60 * 60;

export function newVapidKeys(): VapidKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return VapidKeys.parse(privateKey.export({ format: 'jwk' }));
}

/** The public key as browsers take it: the uncompressed point. */
export function applicationServerKey({ x, y }: Pick<VapidKeys, 'x' | 'y'>): string {
  const point = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return Buffer.concat(point).toString('base64url');
}

/** Says to one push service who sends; of no use to any other one. */
export function vapidHeader(
  keys: VapidKeys,
  { endpoint, subject, now }: { readonly endpoint: string; readonly subject: string; readonly now: number },
): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + validSeconds, sub: subject };
  const head = [{ typ: 'JWT', alg: 'ES256' }, claims].map(encoded).join('.');
  const key = createPrivateKey({ key: { ...keys }, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(head), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${head}.${signature.toString('base64url')}, k=${applicationServerKey(keys)}`;
}

/** Whether a stored pair is one. */
export function areVapidKeys(keys: VapidKeys): boolean {
  try {
    const { d: _private, ...point } = keys;
    createPublicKey({ key: point, format: 'jwk' });
    createPrivateKey({ key: { ...keys }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
