import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RunFolders } from '../../../src/host/runs/run-folder.js';
import { RunSecrets } from '../../../src/host/runs/run-secrets.js';
import { RunnerProcesses } from '../../../src/host/runs/runner-processes.js';
import type { Posture } from '../../../src/protocol/posture.js';
import { id } from '../../contract/store/records.js';
import { waitUntil } from '../../harness/wait-until.js';

test('CWE-703: a spare that cannot be prepared, as on a full disk, costs a line of the log and not the worker', async () => {
  const home = mkdtempSync(join(tmpdir(), 'no-spare-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  // Sockets lie in a folder of this name.
  writeFileSync(join(home, 's'), '');
  const lines: string[] = [];
  await using processes = new RunnerProcesses({
    home,
    folders: new RunFolders(home),
    secrets: new RunSecrets(home),
    idleLimitMs: 1000,
    runner: { file: process.execPath, args: ['-e', '0'] },
    env: {},
    epoch: 1,
    deadline: { until: null },
    keepSpare: 'claude',
    log: (line) => lines.push(line),
  });
  processes.prepareSpare();
  await waitUntil('the worker says that it has no spare', () => lines.length > 0);
  expect(lines).toEqual([expect.stringMatching(/^No runner could be kept ready: .*EEXIST/)]);
});

/** Runner processes whose program does nothing but wait. */
function waitingRunners({
  spareUnusedMs,
  memoryBytes = 2 ** 34,
}: {
  readonly spareUnusedMs: number;
  readonly memoryBytes?: number;
}) {
  const home = mkdtempSync(join(tmpdir(), 'spares-'));
  onTestFinished(() => rmSync(home, { recursive: true, maxRetries: 5 }));
  const program = join(home, 'program.cjs');
  writeFileSync(program, 'setInterval(() => {}, 1000);');
  const processes = new RunnerProcesses({
    home,
    folders: new RunFolders(home),
    secrets: new RunSecrets(home),
    idleLimitMs: 1000,
    runner: { file: process.execPath, args: [program] },
    env: {},
    epoch: 1,
    deadline: { until: null },
    keepSpare: 'claude',
    spareUnusedMs,
    memoryBytes,
    log: () => {},
  });
  /** The spares that live, and their runtimes. */
  const waiting = () =>
    runningPrograms().filter((line) => !line.startsWith('Z') && line.includes(`${program} --spare`));
  const spares = () => waiting().map((line) => /--runtime (\S+)/.exec(line)?.[1] ?? '');
  /** Those that keep an agent. */
  const parking = () => waiting().filter((line) => line.includes('--park'));
  return { home, processes, spares, parking };
}

/** What runs on this machine, each with its state. */
function runningPrograms(): string[] {
  return execFileSync('ps', ['-A', '-ww', '-o', 'stat=,args='], { encoding: 'utf8' }).split('\n');
}

test('a spare that nobody used is let go, and its memory is given back', async () => {
  const at = waitingRunners({ spareUnusedMs: 1 });
  await using processes = at.processes;
  processes.prepareSpare();
  // Made right before its process is started.
  await waitUntil('there was a spare', () => existsSync(join(at.home, 's', 'spare-1-1.secret')));
  await waitUntil('it is gone', () => at.spares().length === 0);
});

test('there is a spare for each runtime that is used, and an agent where the next start can take it', {
  tags: ['full'],
}, async () => {
  const at = waitingRunners({ spareUnusedMs: 3_600_000 });
  await using processes = at.processes;
  processes.prepareSpare();
  await waitUntil('there is a spare of Claude', () => at.spares().includes('claude'));
  expect(at.parking()).toEqual([]);
  const start = async (runtime: 'claude' | 'codex', posture: Posture) => {
    const { pid } = await processes.start(id('run'), {
      threadId: id('thread'),
      runtime,
      cwd: at.home,
      posture,
    });
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  };
  await start('codex', {});
  await waitUntil('there is one of Codex too', () => at.spares().toSorted().join() === 'claude,codex');
  // The one that waits says nothing, and is given up.
  await start('claude', { toolPreset: 'read-only' });
  await waitUntil('one of Claude waits with an agent', () => at.parking().length === 1);
  expect(at.parking()[0]).toContain('--tool-preset read-only');
  await waitUntil('the other one is gone', () => at.spares().toSorted().join() === 'claude,codex');
});

test('on a small machine nothing is kept', async () => {
  const at = waitingRunners({ spareUnusedMs: 3_600_000, memoryBytes: 2 ** 30 });
  await using processes = at.processes;
  processes.prepareSpare();
  const { pid } = await processes.start(id('run'), {
    threadId: id('thread'),
    runtime: 'claude',
    cwd: at.home,
    posture: {},
  });
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  expect(existsSync(join(at.home, 's'))).toBe(false);
});
