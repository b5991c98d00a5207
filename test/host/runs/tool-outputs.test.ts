import { expect, test } from 'vitest';
import { openHostStage, owner } from '../host-stage.js';

const autonomous = { permissions: 'autonomous' } as const;
const counted = Array.from({ length: 2000 }, (_, index) => `${index + 1}`).join('\n');

test('what a tool said is there whole after its run is over, and after a restart of the worker', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage();
  const { threadId } = await at.done(
    '[[tool Bash {"command":"seq 2000"}]] [[next]] [[text Done.]]',
    autonomous,
  );
  const [end] = await at.events(threadId, 'tool_end');
  expect(end).toMatchObject({
    summary: `${counted.slice(0, 500)}…`,
    outputLength: counted.length,
    outputKept: counted.length,
  });
  expect(end).not.toHaveProperty('output');
  const { items } = await at.host.threads.items(threadId, {});
  expect(items.find(({ type }) => type === 'tool_call')).toMatchObject({
    result: { outputLength: counted.length, outputKept: counted.length },
  });

  await at.host.threads.stop(threadId, owner);
  await at.firstEvent(threadId, 'run_ended');
  await at.leave();
  await at.open();
  const toolUseId = String(end?.['id']);
  expect(await at.host.threads.toolOutput(threadId, toolUseId, {})).toEqual({
    text: counted,
    length: counted.length,
  });
  await expect(at.host.threads.toolOutput(threadId, 'toolu_none', {})).rejects.toMatchObject({
    code: 'not_found',
  });
});
