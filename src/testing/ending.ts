import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { first, only, textOf } from './event-list.js';
import { hangLimitMs } from './hang-limit.js';
import { drive, type RuntimeRig } from './rig.js';
import type { TestStage } from './test-stage.js';

const sleeper = 'node -e "setTimeout(() => {}, 3600001)"';

/** Every way to an end has one last event and leaves nothing behind; what was said is there in the next life. */
export function endingContract(rig: RuntimeRig): void {
  const { capabilities } = rig.runtime;
  let stage: TestStage;
  beforeAll(async () => {
    stage = await rig.open();
  }, hangLimitMs);
  afterAll(async () => await stage[Symbol.asyncDispose](), hangLimitMs);
  const lastConversation = () =>
    JSON.stringify(stage.simulator.modelRequests().at(-1)?.conversation?.entries);

  describe('an end', () => {
    it('is one event: complete after a stop, shutdown after a signal, also in the middle of a command', async () => {
      await using stopped = drive(rig, stage);
      await stopped.turn('[[text Hello.]]');
      stopped.send({ type: 'stop' });
      const calm = await stopped.end();
      expect([calm.code, calm.last.at(-1)?.type]).toEqual([0, 'complete']);

      await using ended = drive(rig, stage);
      ended.message(`${rig.shell(sleeper)} [[next]] [[text never]]`);
      if (rig.tells === 'everything') await ended.next('tool_start');
      await ended.runs('3600001');
      ended.signal('SIGTERM');
      const { code, last } = await ended.end();
      expect([code, last.at(-1)?.type]).toEqual([0, 'shutdown']);
      const isTold = rig.tells === 'everything';
      expect(only(last, 'tool_end')).toMatchObject(isTold ? [{ success: false }] : []);
      const terminal = last.filter(({ type }) => type === 'complete' || type === 'shutdown');
      expect(terminal).toHaveLength(1);
    });

    it.runIf(capabilities.resume)(
      'of the agent by SIGKILL is told, and its session can be taken up',
      async () => {
        await using runner = drive(rig, stage);
        const turn = await runner.turn('[[text The secret word is heliotrope.]]');
        const { sessionId } = first(turn, 'turn_complete');
        runner.message(`${rig.shell(sleeper)} [[next]] [[text never]]`);
        await runner.runs('3600001');
        for (const { pid } of await runner.processes(rig.process)) process.kill(pid, 'SIGKILL');
        const { code, last } = await runner.end();
        expect([code, last.at(-1)]).toMatchObject([1, { type: 'shutdown', reason: 'agent_exited' }]);
        expect(first(last, 'agent_exited')).toMatchObject({ signal: 'SIGKILL', oom: false });

        await using resumed = drive(rig, stage, { args: ['--resume', sessionId] });
        const after = await resumed.turn('[[text I remember.]]');
        expect([textOf(after), first(after, 'turn_complete').sessionId]).toEqual(['I remember.', sessionId]);
        expect(lastConversation()).toContain('heliotrope');
      },
    );

    it('of the runner by SIGKILL leaves strays, and the next start ends them', async () => {
      await using runner = drive(rig, stage);
      await runner.turn('[[text The secret word is amaranth.]]');
      runner.message(`${rig.shell(`bash -c '${sleeper}; true'`)} [[next]] [[text never]]`);
      await runner.runs('3600001');
      runner.signal('SIGKILL');
      await runner.exited;
      const [session] = only(runner.events, 'session_id_update');
      const args = capabilities.resume && session ? ['--resume', session.sessionId] : [];
      await using next = drive(rig, stage, { args });
      expect(textOf(await next.turn('[[text Here.]]'))).toBe('Here.');
      if (capabilities.resume) expect(lastConversation()).toContain('amaranth');
      await runner.isRidOf('');
    });

    it.runIf(capabilities.fork)('is not the end of a fork', async () => {
      await using runner = drive(rig, stage);
      const { sessionId } = first(await runner.turn('[[text The secret word is indigo.]]'), 'turn_complete');
      runner.closeInput();
      await runner.end();
      await using forked = drive(rig, stage, { args: ['--resume', sessionId, '--fork'] });
      const turn = await forked.turn('[[text So do I.]]');
      expect(first(turn, 'turn_complete').sessionId).not.toBe(sessionId);
      expect(lastConversation()).toContain('indigo');
    });

    it.runIf(capabilities.resume)('of a session that nobody knows says so', async () => {
      const unknown = '00000000-0000-7000-8000-00000000dead';
      await using runner = drive(rig, stage, { args: ['--resume', unknown] });
      runner.message('hello');
      runner.closeInput();
      const { code, last } = await runner.end();
      expect([code, last.at(-1)?.type]).toEqual([1, 'shutdown']);
      expect(first(last, 'error').message).toContain(unknown);
    });
  });
}
