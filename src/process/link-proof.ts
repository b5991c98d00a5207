import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What one end of a link says to show that it knows the secret; bound to one greeting, so that it is of no use twice. */
export interface LinkClaim {
  readonly by: 'worker' | 'runner';
  readonly runId: string;
  readonly epoch: number;
  /** The number that the other end made up for this link. */
  readonly nonce: string;
}

/** A number that nobody can foresee. */
export function newNonce(): string {
  return randomBytes(16).toString('hex');
}

/** Shows that whoever says this knows the secret, without saying it. */
export function linkProof(secret: string, { by, runId, epoch, nonce }: LinkClaim): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([by, runId, epoch, nonce]))
    .digest('hex');
}

export function isLinkProof(proof: string, secret: string, claim: LinkClaim): boolean {
  const expected = Buffer.from(linkProof(secret, claim));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
