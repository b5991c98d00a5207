// What a runner without an agent says to a worker that attaches: its greeting, and the proof that it knows the secret.
import { dirname } from 'node:path';
import { RunSecrets } from '../../dist/host/runs/run-secrets.js';
import { ownIdentity } from '../../dist/process/families/own-identity.js';
import { linkProof } from '../../dist/process/link-proof.js';
import { detachedProtocol } from '../../dist/protocol/index.js';

/** @param {string} runId @param {number} lastRunSeq */
export function helloLine(runId, lastRunSeq) {
  const hello = { type: 'hello', protocol: detachedProtocol, runId, lastRunSeq, nonce: 'greeting' };
  return `${JSON.stringify({ ...hello, ...ownIdentity() })}\n`;
}

/**
 * @param {{ runId: string, socket: string }} place of a run, below the home of its worker
 * @param {{ epoch: number, nonce: string }} attach
 */
export function attachedLine({ runId, socket }, { epoch, nonce }) {
  const secret = new RunSecrets(dirname(dirname(socket))).of(runId);
  const proof = linkProof(secret, { by: 'runner', runId, epoch, nonce });
  return `${JSON.stringify({ type: 'attached', proof })}\n`;
}
