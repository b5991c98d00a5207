import { defineConfig } from 'vitest/config';

// Real agents start slowly and some are installed on demand, so no test has a time limit that a busy machine
// could miss: the ceiling only ends a hang. Two files at a time, because each may run several processes.
const hang = 15 * 60 * 1000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: hang,
    hookTimeout: hang,
    maxWorkers: 2,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
});
