// Runners without agents, all in one process: each greets on its socket and prints which run got which command.
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { ownIdentity } from '../../dist/process/families/own-identity.js';
import { attachedLine, helloLine } from './synthetic-link.js';

/** @type {[string, string][]} */
const runs = JSON.parse(process.argv[2] ?? '[]');
/** @param {object} word */
const tell = (word) => process.stdout.write(`${JSON.stringify(word)}\n`);

await Promise.all(
  runs.map(async ([runId, path]) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const server = createServer((socket) => {
      socket.write(helloLine(runId, 0));
      socket.on('error', () => socket.destroy());
      createInterface({ input: socket }).on('line', (line) => {
        const frame = JSON.parse(line);
        if (frame.type === 'attach') socket.write(attachedLine({ runId, socket: path }, frame));
        tell({ runId, ...frame });
      });
    });
    await new Promise((resolve) => server.listen(path, () => resolve(undefined)));
  }),
);
tell({ ready: ownIdentity() });
