import type { LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { errnoOf } from '../../process/files/errno.js';
import { reachOf } from './address-reach.js';
import type { DeliveryResult } from './delivery.js';

// Nobody reads an answer's body, but a receiver may work while it writes it.
const bodyLimit = 64 * 1024;

/** A request to an address that a person configured, and that somebody else's name server may have the last word on. */
export interface OutboundPost {
  readonly url: string;
  readonly allowPrivate: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Posts and says what became of it; it never throws. The name is resolved once, and the connection goes to what was
 * checked, so that a name server cannot give another address after the check. Redirects are not followed.
 */
export async function post(
  wanted: OutboundPost,
  { resolve, signal }: { readonly resolve: Resolve; readonly signal: AbortSignal },
): Promise<DeliveryResult> {
  const url = new URL(wanted.url);
  try {
    const addresses = await addressesOf(url, resolve, signal);
    if (!addresses.every(({ address }) => isAllowed(address, wanted)))
      return { sent: false, why: 'its host is in a private network or a reserved range' };
    const response = await answerOf({ ...wanted, url, addresses, signal });
    const delivery = deliveryOf(response);
    await drain(response);
    return delivery;
  } catch (error) {
    if (signal.aborted) return { sent: false, why: 'it did not answer in time' };
    return { sent: false, why: `it could not be reached (${errnoOf(error) ?? 'unknown error'})` };
  }
}

async function addressesOf(
  url: URL,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  signal.throwIfAborted();
  if (family !== 0) return [{ address: host, family }];
  const found = await unlessAborted(resolve(host), signal);
  if (found.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  return found;
}

function isAllowed(address: string, { allowPrivate }: OutboundPost): boolean {
  const reach = reachOf(address);
  return reach === 'public' || (reach === 'private' && allowPrivate);
}

async function answerOf(to: {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
  readonly headers: OutboundPost['headers'];
  readonly body: string;
  readonly signal: AbortSignal;
}): Promise<IncomingMessage> {
  const { url, addresses, headers, body, signal } = to;
  const lookup: LookupFunction = (_host, { all }, found) => {
    const [first] = addresses;
    if (all) found(null, [...addresses]);
    else found(null, first?.address ?? '', first?.family);
  };
  return await new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = start(url, {
      method: 'POST',
      headers: { 'user-agent': 'handraise', ...headers },
      lookup,
      signal,
      // A connection of its own: one that is kept alive was checked for another request.
      agent: false,
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

function deliveryOf({ statusCode = 0, headers }: IncomingMessage): DeliveryResult {
  if (statusCode >= 200 && statusCode < 300) return { sent: true };
  const why = `it answered ${statusCode}`;
  // The receiver wants nothing of this any more.
  if (statusCode === 410) return { sent: false, why, final: true };
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return { sent: false, why, ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}) };
}

async function drain(response: IncomingMessage): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of response) {
      size += Buffer.byteLength(chunk);
      if (size > bodyLimit) return;
    }
  } catch {
    // The status had been said already.
  }
}

// A name server cannot be told to stop, so its answer is not waited for.
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    over.abort();
  }
}
