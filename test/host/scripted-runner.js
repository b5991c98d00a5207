// A runner without an agent: it greets on the socket that it is given, says the events that come as lines on stdin, prints
// every command that it gets, and gives the receipts that a runner gives.
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { ownIdentity } from '../../dist/process/families/own-identity.js';
import { attachedLine, helloLine } from './synthetic-link.js';

const [socketPath = '', runId = ''] = process.argv.slice(2);
/** @type {object[]} */
const events = [];
/** @type {import('node:net').Socket | null} */
let worker = null;

/** @param {object} event */
function emit(event) {
  const numbered = { ...event, timestamp: new Date().toISOString(), runSeq: events.length + 1 };
  events.push(numbered);
  worker?.write(`${JSON.stringify(numbered)}\n`);
}

/** @param {object} word */
function tell(word) {
  process.stdout.write(`${JSON.stringify(word)}\n`);
}

/** @param {import('node:net').Socket} socket @param {any} frame */
function take(socket, frame) {
  if (frame.type === 'attach') {
    worker = socket;
    socket.write(attachedLine({ runId, socket: socketPath }, frame));
    for (const event of events.slice(frame.afterRunSeq)) socket.write(`${JSON.stringify(event)}\n`);
    return;
  }
  if (frame.type === 'ack') return;
  tell(frame);
  if (frame.type === 'user_question_response')
    emit({ type: 'answer_delivered', commandId: frame.commandId, requestId: frame.questionRequestId });
}

mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 });
createServer((socket) => {
  socket.write(helloLine(runId, events.length));
  socket.on('error', () => socket.destroy());
  createInterface({ input: socket }).on('line', (line) => take(socket, JSON.parse(line)));
}).listen(socketPath, () => tell({ ready: ownIdentity() }));
createInterface({ input: process.stdin }).on('line', (line) => emit(JSON.parse(line)));
