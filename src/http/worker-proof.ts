import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header in which a worker proves who it is. */
export const proofHeader = 'handraise-proof';

/** One connection, as it is at the worker's end, and what the client wants to be answered there. */
export interface ProofQuestion {
  /** Random, and never asked twice. */
  readonly challenge: string;
  /** Where the worker took the connection: an answer fetched from another place is no proof of this one. */
  readonly address: string | undefined;
  readonly port: number | undefined;
}

/** What only the worker that wrote this secret into the home can say about a connection. */
export function proofOf(secret: string, { challenge, address = '', port = 0 }: ProofQuestion): string {
  const place = `${address.replace(/^::ffff:/i, '')} ${port}`;
  return createHmac('sha256', secret).update(`handraise ${challenge} ${place}`).digest('base64url');
}

/** Whether an answer is that proof; it takes the same time for every wrong one. */
export function isProof(given: string, secret: string, question: ProofQuestion): boolean {
  const [known, received] = [Buffer.from(proofOf(secret, question)), Buffer.from(given)];
  return known.length === received.length && timingSafeEqual(known, received);
}
