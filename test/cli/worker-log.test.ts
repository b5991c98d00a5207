import {
  closeSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkerLog } from '../../src/cli/worker-log.js';

it('adds to the log, and puts one aside that has grown large', () => {
  const folder = mkdtempSync(join(tmpdir(), 'worker-log-'));
  const file = join(folder, 'worker.log');
  const write = () => {
    const log = openWorkerLog(file);
    writeSync(log, 'line\n');
    closeSync(log);
    return [statSync(file).size, existsSync(`${file}.1`)];
  };
  expect([write(), write()]).toEqual([
    [5, false],
    [10, false],
  ]);
  writeFileSync(file, '');
  truncateSync(file, 11 * 2 ** 20);
  expect(write()).toEqual([5, true]);
  rmSync(folder, { recursive: true });
});
