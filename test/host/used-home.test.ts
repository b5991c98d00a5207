import { spawn } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RunFolders } from '../../src/host/runs/run-folder.js';
import { readProcess } from '../../src/process/families/process-table.js';
import { RunId, ThreadId } from '../../src/protocol/id.js';
import { eventually } from '../harness/wait-until.js';
import { openHostStage } from './host-stage.js';

test('a home that was used and whose store is empty says that it begins anew, and a new home says nothing', async () => {
  const at = await openHostStage();
  expect(at.log).toEqual([]);
  await at.leave();
  for (const name of ['store.db', 'store.db-wal', 'store.db-shm']) {
    writeFileSync(join(at.home, name), '');
    truncateSync(join(at.home, name));
  }
  await at.open();
  expect(at.log.join()).toContain(
    'is empty or missing, although this home was used before: a new store begins',
  );
});

test('a runner whose protocol is two versions apart is said to be so, in the log and in its thread', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage();
  const threadId = ThreadId.parse(`thr_${'1'.padStart(26, '0')}`);
  const runId = RunId.parse(`run_${'1'.padStart(26, '0')}`);
  const startedAt = new Date().toISOString();
  const child = spawn('sleep', ['600']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const identity = readProcess(child.pid ?? 0)?.identity;
  if (!identity) throw new Error('no process');
  await at.store.commit({
    operations: [
      {
        do: 'insertThread',
        thread: {
          id: threadId,
          title: 'Old',
          runtime: 'claude',
          workspace: { path: at.folder() },
          launch: { posture: {}, permissions: 'approval' },
          status: { state: 'stopped', why: 'not started yet', source: 'host', confidence: 'authoritative' },
          createdAt: startedAt,
        },
      },
      { do: 'insertRun', run: { id: runId, threadId, runtime: 'claude', posture: {}, startedAt } },
      { do: 'patchRun', runId, patch: { process: identity } },
    ],
  });
  const socket = new RunFolders(at.home).socket(runId);
  mkdirSync(dirname(socket), { recursive: true });
  const server = createServer((link) => {
    link.on('error', () => {});
    const hello = { type: 'hello', protocol: 5, runId, ...identity, lastRunSeq: 0, nonce: 'n' };
    link.write(`${JSON.stringify(hello)}\n`);
  }).listen(socket);
  onTestFinished(() => void server.close());
  await at.leave();
  await at.open();
  const [notice] = await eventually(
    'the thread says it',
    async () => await at.events(threadId, 'notice'),
    (found) => found.length > 0,
  );
  expect(notice?.['message']).toContain('it speaks version 5 of the protocol and this worker version 3');
  expect(at.log.filter((line) => line.includes('version 5'))).toHaveLength(1);
});
