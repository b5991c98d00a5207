// @module-tag full
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/record-console.js', import.meta.url));

it('every kind of prompt is answered in a real terminal as it was recorded', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect([stdout, stderr]).toEqual(['', '']);
});
