import type { LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { errnoOf } from '../../process/files/errno.js';
import { reachOf } from './address-reach.js';
import type { DeliveryResult } from './delivery.js';

// Where nobody reads it, a receiver may still work while it writes it.
const bodyLimit = 1024 * 1024;

/** A request to an address that a person configured, and that somebody else's name server may have the last word on. */
export interface OutboundPost<Body extends string | Uint8Array = string> {
  readonly url: string;
  readonly allowPrivate: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** What is wrong with an answer that says it with status 200, as the end of a sentence. */
  readonly refusalIn?: (body: string) => string | null;
}

/** What came back, or why nothing did. */
export type OutboundAnswer =
  | {
      readonly answered: true;
      readonly status: number;
      readonly body: string;
      readonly retryAfterMs?: number;
    }
  | { readonly answered: false; readonly why: string };

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Posts and says what became of it; it never throws. The name is resolved once, and the connection goes to what was
 * checked, so that a name server cannot give another address after the check. Redirects are not followed.
 */
export async function post(wanted: OutboundPost, means: OutboundMeans): Promise<DeliveryResult> {
  const answer = await ask(wanted, means);
  return answer.answered ? deliveryOf(answer, wanted) : { sent: false, why: answer.why };
}

/** What it takes to reach the outside, and when to stop trying. */
export interface OutboundMeans {
  readonly resolve: Resolve;
  readonly signal: AbortSignal;
}

/** The same, for whoever wants to read what is answered. */
export async function ask(
  wanted: OutboundPost<string | Uint8Array>,
  { resolve, signal }: OutboundMeans,
): Promise<OutboundAnswer> {
  const url = new URL(wanted.url);
  try {
    const addresses = await allowedAddresses(wanted, { resolve, signal });
    if (addresses === null)
      return { answered: false, why: 'its host is in a private network or a reserved range' };
    const response = await answerOf({ ...wanted, url, addresses, signal });
    const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
    return {
      answered: true,
      status: response.statusCode ?? 0,
      body: await bodyOf(response),
      ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
    };
  } catch (error) {
    if (signal.aborted) return { answered: false, why: 'it did not answer in time' };
    return { answered: false, why: `it could not be reached (${errnoOf(error) ?? 'unknown error'})` };
  }
}

/** Where a host is, or null where it is nowhere that may be called. */
export async function allowedAddresses(
  wanted: Pick<OutboundPost, 'url' | 'allowPrivate'>,
  { resolve, signal }: OutboundMeans,
): Promise<readonly LookupAddress[] | null> {
  const addresses = await addressesOf(new URL(wanted.url), resolve, signal);
  return addresses.every(({ address }) => isAllowed(address, wanted)) ? addresses : null;
}

/** Finds these addresses and no others, whatever a name server says by now. */
export function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, found) => {
    const [first] = addresses;
    if (all) found(null, [...addresses]);
    else found(null, first?.address ?? '', first?.family);
  };
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

function isAllowed(address: string, { allowPrivate }: Pick<OutboundPost, 'allowPrivate'>): boolean {
  const reach = reachOf(address);
  return reach === 'public' || (reach === 'private' && allowPrivate);
}

async function answerOf(to: {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
  readonly headers: OutboundPost['headers'];
  readonly body: string | Uint8Array;
  readonly signal: AbortSignal;
}): Promise<IncomingMessage> {
  const { url, addresses, headers, body, signal } = to;
  return await new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = start(url, {
      method: 'POST',
      headers: { 'user-agent': 'handraise', ...headers },
      lookup: lookupOf(addresses),
      signal,
      // A connection of its own: one that is kept alive was checked for another request.
      agent: false,
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

function deliveryOf(
  { status, body, retryAfterMs }: Extract<OutboundAnswer, { answered: true }>,
  { refusalIn = () => null }: OutboundPost,
): DeliveryResult {
  if (status >= 200 && status < 300) {
    const refusal = refusalIn(body);
    return refusal === null ? { sent: true } : { sent: false, why: refusal };
  }
  const why = `it answered ${status}`;
  // The receiver wants nothing of this any more.
  if (status === 410) return { sent: false, why, final: true };
  return { sent: false, why, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > bodyLimit) break;
      chunks.push(bytes);
    }
  } catch {
    // The status had been said already.
  }
  return Buffer.concat(chunks).toString('utf8');
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
