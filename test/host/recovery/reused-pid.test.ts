// @module-tag full
// CWE-367: a pid says nothing about who has it. A run is known by pid, start time and boot.
import { expect, test } from 'vitest';
import { canChoosePid, startWithPid } from '../../harness/chosen-pid.js';
import { openHostStage, owner } from '../host-stage.js';

test.runIf(canChoosePid)(
  'CWE-367: a stranger that got the pid of a dead runner is neither taken for it nor ended',
  async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Thanks.]]');
    const prompt = await at.asked(dispatch.threadId);
    const { rows } = await at.store.query('runs', { threadId: dispatch.threadId });
    const pid = rows[0]?.process?.pid ?? 0;
    await at.leave();
    await at.kill('runner');
    await at.gone();
    const stranger = await startWithPid(pid);

    await at.open();
    await at.thread(dispatch.threadId, ({ status }) => status.state === 'question' && !status.held);
    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded' });
    await at.host.stopAgents(owner);
    expect([stranger.pid, stranger.exitCode, stranger.signalCode]).toEqual([pid, null, null]);
  },
);

test.skipIf(canChoosePid)('a reused pid (skipped: this needs root on Linux)', () => {});
