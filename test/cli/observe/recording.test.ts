// @module-tag full
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/record-observed.js', import.meta.url));

it('a Claude Code that was started by hand is seen idle, busy and asking as it was recorded', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect([stdout, stderr]).toEqual(['', '']);
});
