import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const peers = fileURLToPath(new URL('../../bench/peers/main.js', import.meta.url));

interface Rounds {
  readonly low: number;
}

// Twice to three times what a quiet machine shows. The lowest rounds are compared, in one run and in turn: other programs make rounds slower,
// and never faster. A change that waits for the disk once more, or parses text once more, is not seen here but in the costs of a turn.
const most: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'new session: first text, ms': { worker: 3 },
  'warm turn: text, ms': { runner: 2.5, worker: 3.5 },
  'warm turn: result, ms': { runner: 2.5, worker: 4 },
  '5,000 deltas: text, ms': { runner: 2.5, worker: 3 },
};

test('runner and worker are not many times slower than the bare SDK', { tags: ['full'] }, async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [peers, '--rounds', '5', '--only', 'runner,worker'],
    { maxBuffer: 2 ** 26 },
  );
  const { rows }: { rows: Record<string, Record<string, Rounds>> } = JSON.parse(
    stdout.trim().split('\n').at(-1) ?? '',
  );
  const tooSlow = Object.entries(most).flatMap(([row, hosts]) =>
    Object.entries(hosts).flatMap(([host, limit]) => {
      const ratio = (rows[row]?.[host]?.low ?? Number.NaN) / (rows[row]?.['bare SDK']?.low ?? Number.NaN);
      return ratio <= limit ? [] : [`${row}, ${host}: ${ratio.toFixed(2)} ×, at most ${limit}`];
    }),
  );
  expect(tooSlow).toEqual([]);
});
