import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RunFolders } from '../../../src/host/runs/run-folder.js';
import { RunSecrets } from '../../../src/host/runs/run-secrets.js';
import { RunnerProcesses } from '../../../src/host/runs/runner-processes.js';

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
    keepSpare: 'claude',
    log: (line) => lines.push(line),
  });
  processes.prepareSpare();
  await waitUntil('the worker says that it has no spare', () => lines.length > 0);
  expect(lines).toEqual([expect.stringMatching(/^No runner could be kept ready: .*EEXIST/)]);
});
