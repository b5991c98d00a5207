// What an agent could run to answer its own question: it attaches to its runner as a worker does, with the secret.
import { openSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { linkProof, newNonce } from '../../dist/process/link-proof.js';

const [path = '', secret = ''] = process.argv.slice(2);
const socket = connect(path);
createInterface({ input: socket }).on('line', (line) => {
  const { type, runId, nonce, error } = JSON.parse(line);
  if (type !== 'hello') {
    console.log(error ?? type);
    process.exit();
  }
  const epoch = 100;
  openSync(`${path}.${nonce}`, 'wx');
  const proof = linkProof(secret, { by: 'worker', runId, epoch, nonce });
  const attach = { type: 'attach', afterRunSeq: 0, epoch, pid: process.pid, nonce: newNonce(), proof };
  socket.write(`${JSON.stringify(attach)}\n`);
});
