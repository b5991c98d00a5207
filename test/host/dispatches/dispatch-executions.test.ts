import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import type { DispatchExecution } from '../../../src/host/dispatches/dispatch-execution.js';
import { DispatchExecutions } from '../../../src/host/dispatches/dispatch-executions.js';
import type { DispatchId } from '../../../src/protocol/id.js';

test('whoever lets go of all work waits also for the work that was called off while its agent was being started', async () => {
  const executions = new DispatchExecutions();
  const starting = new EventEmitter();
  const done = once(starting, 'over');
  const id = 'dsp_01jqz00000000000000000000a' as DispatchId;
  const execution = { dispatch: { id }, done, abandon: () => {} } as unknown as DispatchExecution;
  executions.add(execution);
  executions.abandon(id);
  expect(executions.has(id)).toBe(false);

  let hasLetGo = false;
  const letGo = executions.abandonAll().then(() => (hasLetGo = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasLetGo).toBe(false);
  starting.emit('over');
  await letGo;
});
