// @module-tag full
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash } from './prompting.js';
import { textOf } from './stable.js';

// Claude Code says so after half a minute for the first time, so this test has a file, and a worker, of its own.
it('[event tool_progress] tells that a long tool still runs', async () => {
  await using stage = await openStage('claude');
  await using runner = new Driver(stage);
  const pipe = join(stage.workspace, 'enough');
  execFileSync('mkfifo', [pipe]);
  runner.message(`${bash('cat enough', { timeout: 600_000 })} [[next]] [[text Enough.]]`);
  const { id } = await runner.next('tool_start');
  const progress = await runner.next('tool_progress');
  expect(progress).toMatchObject({ toolUseId: id, toolName: 'Bash' });
  expect(progress.elapsedTimeSeconds).toBeGreaterThan(0);
  await writeFile(pipe, '');
  expect(textOf(await runner.until('turn_complete'))).toBe('Enough.');
});
