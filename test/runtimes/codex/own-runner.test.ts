// @module-tag full
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linkSecret, socketArguments, WorkerLink } from '../../runner/worker-link.js';
import { driveCodex, openCodexStage, shell } from './codex-driver.js';

test('CWE-287: Codex is not let in to its own runner, not even with the secret', async () => {
  const stage = await openCodexStage();
  onTestFinished(async () => await stage[Symbol.asyncDispose]());
  const socket = join(stage.home, 's', 'codex.sock');
  const spool = join(stage.home, 'runs', `run_${'1'.padStart(26, '0')}`);
  const driver = driveCodex(stage, { args: [...socketArguments(socket), '--spool', spool] });
  const worker = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 5 });
  const program = new URL('../../runner/attaching-agent.js', import.meta.url).pathname;
  worker.send({
    type: 'message',
    content: `${shell(`node ${program} ${socket} '${linkSecret}'`)} [[next]] [[text Done.]]`,
    commandId: 'c1',
  });
  expect((await worker.next('tool_end'))['summary']).toMatch(/The process \d+ belongs to an agent\./);
  worker.send({ type: 'stop', commandId: 'mine' });
  await worker.next('complete');
  expect((await driver.exited).code).toBe(0);
});
