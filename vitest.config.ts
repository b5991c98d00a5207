import { defineConfig } from 'vitest/config';

// Two cores: real agents start slowly, so files run two at a time and no test has a time limit of its own
// that a busy machine could miss; the generous ceiling only stops a hang.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
});
