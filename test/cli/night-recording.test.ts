// @module-tag full
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/record-night.js', import.meta.url));

it('work of a night meets a limit, waits, asks, is answered on a phone and lands as it was recorded', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect([stdout, stderr]).toEqual(['', '']);
});
