import { expect, test } from 'vitest';
import { z } from 'zod';
import { RefusalError } from '../../src/process/files/refusal.js';
import { defineTool } from '../../src/workspace-tools/workspace-tool.js';
import { anyCall } from './scratch-workspace.js';

function toolThat(answer: (input: { size: number }) => Promise<unknown>) {
  return defineTool({
    name: 'measure',
    description: 'Measures.',
    access: 'read',
    input: { size: z.number().max(9).default(3) },
    answer,
  });
}

test('the input is checked and completed before the tool sees it', async () => {
  const tool = toolThat(async (input) => input);
  expect(await z.object(tool.input).parseAsync({})).toEqual({ size: 3 });
  expect(await tool.run({ size: 4 }, anyCall)).toEqual({ ok: true, data: { size: 4 } });
  expect(await tool.run({ size: 10 }, anyCall)).toEqual({
    ok: false,
    error: '✖ Too big: expected number to be <=9\n  → at size',
  });
});

test('a refusal and a failure of the system are answers', async () => {
  const refusing = toolThat(async () => {
    throw new RefusalError('Not here.');
  });
  const failing = toolThat(async () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  expect(await refusing.run({ size: 1 }, anyCall)).toEqual({ ok: false, error: 'Not here.' });
  expect(await failing.run({ size: 1 }, anyCall)).toEqual({
    ok: false,
    error: 'measure failed: the system said ENOSPC.',
  });
});

test('a fault of ours is not dressed up as an answer', async () => {
  const broken = toolThat(async () => {
    throw new TypeError('undefined is not a function');
  });
  await expect(broken.run({ size: 1 }, anyCall)).rejects.toThrow(TypeError);
});
