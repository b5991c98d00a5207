import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const trace = fileURLToPath(new URL('../../bench/trace/main.js', import.meta.url));

// Times are the machine's; how often a turn waits for the disk and crosses a thread is the program's. What a busy machine or the worker's
// tick adds to a turn is not in the cheapest one; only a few more commits are, where a turn takes longer than receipts wait for company.
test('a warm turn costs no more commits, syncs and messages between threads than it has to', {
  tags: ['full'],
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [trace, '--turns', '7'], {
    maxBuffer: 2 ** 26,
  });
  const { lowest } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(lowest).toMatchObject({ commitsDown: 1, messagesDown: 2, spoolSyncs: 1 });
  expect(lowest.commits).toBeLessThanOrEqual(6);
});
