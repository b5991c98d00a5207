import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RunFolders } from '../../dist/host/runs/run-folder.js';
import { newId } from '../../dist/protocol/index.js';
import { ControlledProcess } from './controlled-process.js';

const source = { now: () => Date.now(), randomBytes };

/** A worker with live synthetic runs, on a home of its own. */
export class Rig {
  /** @param {ControlledProcess} worker @param {ControlledProcess} runners @param {{ threadId: string }[]} runs */
  constructor(worker, runners, runs) {
    this.worker = worker;
    this.runners = runners;
    this.runs = runs;
  }

  /** @param {string} home @param {number} count */
  static async open(home, count) {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const folders = new RunFolders(home);
    const runs = Array.from({ length: count }, () => {
      const [runId, threadId] = [newId('run', source), newId('thread', source)];
      return { runId, threadId, socket: folders.socket(runId), workspace: join(home, threadId) };
    });
    const runners = new ControlledProcess(new URL('./runners.js', import.meta.url), runs);
    const { ready: identity } = await runners.next();
    const worker = new ControlledProcess(new URL('./worker.js', import.meta.url), { home, runs, identity });
    await worker.next();
    return new Rig(worker, runners, runs);
  }

  async close() {
    await this.worker.end();
    await this.runners.end();
  }
}
