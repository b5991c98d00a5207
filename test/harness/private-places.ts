// Runs before every test file: what a test or any process of it writes to its home or to the temporary folder goes to
// a place that nobody else has. So two runs beside each other do not meet, and what is found there is ours.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const { TEST_RUN_FOLDER = '', VITEST_WORKER_ID = '' } = process.env;
if (!TEST_RUN_FOLDER || !VITEST_WORKER_ID) throw new Error('test/global-setup.ts did not run.');

const place = join(TEST_RUN_FOLDER, VITEST_WORKER_ID);
process.env['TMPDIR'] = place;
process.env['HOME'] = join(place, 'home');
mkdirSync(join(place, 'home'), { recursive: true });
