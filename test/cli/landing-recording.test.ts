// @module-tag full
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/record-landing.js', import.meta.url));

it('three agents are reviewed, corrected, merged and cleaned up as it was recorded', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect([stdout, stderr]).toEqual(['', '']);
});
