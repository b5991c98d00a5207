// @module-tag full
// CWE-703: the log of a background worker lies on the disk that it reports to be full.
import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { canMount, fillDisk, mountSmallDisk } from '../harness/small-disk.js';
import { waitUntil } from '../harness/wait-until.js';
import { openCliStage } from './cli-stage.js';

const fullForMs = 5000;
const pageBytes = 4096;

test.runIf(canMount)(
  'CWE-703: a background worker outlives a full disk, and the work ends when there is room',
  async () => {
    const cli = await openCliStage();
    onTestFinished(async () => await cli[Symbol.asyncDispose]());
    mountSmallDisk(cli.home);
    try {
      const talk = 'while [ ! -e go ]; do echo word; echo; sleep 0.05; done';
      const started = await cli.run('run', '-d', '--retries', '0', '--command', `sh -c "${talk}"`, 'it');
      expect(started.code).toBe(0);
      const id = started.stdout.trim();
      await waitUntil('the agent speaks', async () => (await cli.run('logs', id)).stdout.includes('word'));
      const pid = cli.workerPid();
      const log = join(cli.home, 'worker.log');
      // The last page of a file has room on a full disk, too.
      appendFileSync(log, '\n'.repeat(pageBytes - (statSync(log).size % pageBytes)));
      fillDisk(join(cli.home, 'filler'));
      await delay(fullForMs);
      expect(() => process.kill(pid, 0)).not.toThrow();
      rmSync(join(cli.home, 'filler'));
      writeFileSync(join(cli.stage.workspace, 'go'), '');
      expect(await cli.run('wait', id)).toMatchObject({ code: 0 });
      expect(cli.workerPid()).toBe(pid);
    } finally {
      // Before the disk goes.
      await cli.run('down', '--stop-agents');
    }
  },
);

test.skipIf(canMount)('a full disk (skipped: this needs root and a tmpfs of its own)', () => {});
