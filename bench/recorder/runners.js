// Synthetic runners in one process: each greets on a socket of its own, sends numbered lines, and honours acks.
// Told by lines on stdin, answers on stdout. Light on purpose: what is measured is the worker on the other side.
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { ownIdentity } from '../../dist/process/families/own-identity.js';
import { attachedLine, helloLine } from '../../test/host/synthetic-link.js';

const content = 'word '.repeat(24);
const batch = 32;
const tickMs = 5;

/** @type {{ runId: string, socket: string }[]} */
const places = JSON.parse(process.argv[2] ?? '[]');
/** @param {object} value */
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
/** Milliseconds of a clock that all processes of the machine share. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

class SyntheticRunner {
  sent = 0;
  acked = 0;
  /** The most lines that were sent and not yet acknowledged. */
  backlog = 0;
  /** The last number of each tick and when it was sent. @type {[number, number][]} */
  ticks = [];
  /** @type {import('node:net').Socket | null} */
  #worker = null;
  #place;

  /** @param {{ runId: string, socket: string }} place */
  constructor(place) {
    this.#place = place;
  }

  async listen() {
    mkdirSync(dirname(this.#place.socket), { recursive: true, mode: 0o700 });
    const server = createServer((socket) => this.#welcome(socket));
    await new Promise((resolve) => server.listen(this.#place.socket, () => resolve(undefined)));
  }

  get isAttached() {
    return this.#worker !== null;
  }

  /** @param {number} count */
  send(count) {
    const timestamp = new Date().toISOString();
    let lines = '';
    for (let index = 0; index < count; index += 1) {
      this.sent += 1;
      lines += `{"type":"assistant_text","content":"${content}","timestamp":"${timestamp}","runSeq":${this.sent}}\n`;
    }
    this.backlog = Math.max(this.backlog, this.sent - this.acked);
    return this.#worker?.write(lines) ?? false;
  }

  /** As fast as the socket takes it. @param {number} until */
  async flood(until) {
    while (now() < until) {
      if (!this.send(batch)) await new Promise((resolve) => this.#worker?.once('drain', resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.settled();
  }

  /** Evenly, so many a second. @param {number} until @param {number} perSecond */
  async trickle(until, perSecond) {
    const start = now();
    const before = this.sent;
    while (now() < until) {
      const due = Math.floor(((now() - start) / 1000) * perSecond) - (this.sent - before);
      if (due > 0) {
        this.send(due);
        this.ticks.push([this.sent, now()]);
      }
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
    await this.settled();
  }

  async settled() {
    while (this.acked < this.sent) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  /** @param {import('node:net').Socket} socket */
  #welcome(socket) {
    socket.write(helloLine(this.#place.runId, this.sent));
    createInterface({ input: socket }).on('line', (line) => {
      const frame = JSON.parse(line);
      if (frame.type === 'attach') {
        socket.write(attachedLine(this.#place, frame));
        this.#worker = socket;
      }
      if (frame.type === 'ack') this.acked = frame.runSeq;
    });
    socket.on('error', () => socket.destroy());
  }
}

const runners = places.map((place) => new SyntheticRunner(place));
for (const runner of runners) await runner.listen();
say({ ready: ownIdentity() });

for await (const line of createInterface({ input: process.stdin })) {
  const { order, seconds = 0, perSecond = 0, count = 0 } = JSON.parse(line);
  while (!runners.every(({ isAttached }) => isAttached))
    await new Promise((resolve) => setTimeout(resolve, 5));
  const start = now();
  const before = runners.reduce((sum, { acked }) => sum + acked, 0);
  const until = start + seconds * 1000;
  if (order === 'flood') await Promise.all(runners.map((runner) => runner.flood(until)));
  if (order === 'trickle')
    await Promise.all(runners.map((runner) => runner.trickle(until, perSecond / runners.length)));
  if (order === 'greet') {
    for (const runner of runners) runner.send(count);
    await Promise.all(runners.map((runner) => runner.settled()));
  }
  const events = runners.reduce((sum, { acked }) => sum + acked, 0) - before;
  say({
    events,
    seconds: (now() - start) / 1000,
    backlog: Math.max(0, ...runners.map(({ backlog }) => backlog)),
    ticks: runners.map(({ ticks }) => ticks),
  });
}
process.exit(0);
