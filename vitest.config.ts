import { defineConfig } from 'vitest/config';

// Real agents start slowly and some are installed on demand, so no test has a time limit that a busy machine
// could miss: the ceiling only ends a hang. Two files at a time, because each may run several processes.
const hang = 15 * 60 * 1000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/harness/private-places.ts'],
    // A test that takes long, or proves again what another has proved, is marked with `{ tags: ['full'] }`, a whole
    // file of such tests with `// @module-tag full` in its first line; what has no mark is quick (scripts/test.js).
    tags: [{ name: 'full', description: 'of npm run test:full, and not of npm test' }],
    testTimeout: hang,
    hookTimeout: hang,
    // A process for each of 200 files would take 80 seconds of processor time; files keep no state in the modules they share.
    isolate: false,
    maxWorkers: 2,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
});
