import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, longCommand, tool } from './prompting.js';
import { only, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const requests = () => stage.simulator.modelRequests().length;

it('[command stop] right after [event ready] is no failure, however far the agent has started', async () => {
  const stopped = Array.from({ length: 4 }, async () => {
    await using runner = new Driver(stage);
    await runner.next('ready');
    runner.send({ type: 'stop' });
    const { code, last } = await runner.end();
    return [code, only(last, 'error').length, last.at(-1)?.type];
  });
  expect(await Promise.all(stopped)).toEqual(stopped.map(() => [0, 0, 'complete']));
});

describe('a shutdown', () => {
  it.each([
    ['[end SIGTERM]', 'SIGTERM'],
    ['[end SIGINT]', 'SIGINT'],
  ] as const)('%s [event shutdown] while idle', async (_row, signal) => {
    await using runner = new Driver(stage);
    await runner.turn('[[text one]]');
    runner.signal(signal);
    const { code, last } = await runner.end();
    expect(code).toBe(0);
    expect(last.at(-1)).toMatchObject({ type: 'shutdown', reason: signal });
    expect(only(last, 'complete')).toEqual([]);
  });

  it('by SIGTERM before the first message', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    await runner.next('ready');
    runner.signal('SIGTERM');
    const { code, last } = await runner.end();
    expect([code, last.at(-1)?.type]).toEqual([0, 'shutdown']);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s in the text flushes it and asks the model nothing more',
    { tags: ['full'] },
    async (signal) => {
      await using runner = new Driver(stage);
      runner.message('[[slow 30]] [[deltas 2000 word ]]');
      await runner.next('text_delta');
      const before = requests();
      runner.signal(signal);
      const { code } = await runner.end();
      expect([code, requests()]).toEqual([0, before]);
      const said = only(runner.events, 'text_delta').map(({ content }) => content);
      expect(textOf(runner.events)).toBe(said.join(''));
      expect(runner.events.at(-1)?.type).toBe('shutdown');
    },
  );

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s in a tool ends it, its process and nothing but it',
    async (signal) => {
      await using runner = new Driver(stage);
      runner.message(`${longCommand()} [[next]] [[text never]]`);
      await runner.next('hook_pre_tool');
      await runner.runs('3600000');
      const before = requests();
      runner.signal(signal);
      const { code, last } = await runner.end();
      expect([code, requests()]).toEqual([0, before]);
      expect(only(last, 'tool_end').map(({ tool, success }) => [tool, success])).toEqual([['Bash', false]]);
      expect(last.at(-1)?.type).toBe('shutdown');
    },
  );

  it('[end SIGHUP] in a tool leaves nothing either', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    runner.message(`${longCommand()} [[next]] [[text never]]`);
    await runner.next('hook_pre_tool');
    await runner.runs('3600000');
    runner.signal('SIGHUP');
    const { code, last } = await runner.end();
    expect([code, last.at(-1)?.type]).toEqual([0, 'shutdown']);
  });

  it('by SIGTERM ends a process that a tool left in the background', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    await runner.turn(
      `${bash('setsid node -e "setTimeout(() => {}, 3600001)" >/dev/null 2>&1 & echo started')} [[next]] [[text Left.]]`,
    );
    await runner.runs('3600001');
    runner.signal('SIGTERM');
    expect((await runner.end()).code).toBe(0);
  });

  it('by SIGTERM ends a Bash that the agent put into the background', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    await runner.turn(
      `${bash('node -e "setTimeout(() => {}, 3600002)"', { run_in_background: true })} [[next]] [[text Left.]]`,
    );
    await runner.runs('3600002');
    runner.signal('SIGTERM');
    expect((await runner.end()).code).toBe(0);
  });

  it('at the end of the input leaves no process of the agent either', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    await runner.turn(
      `${bash('node -e "setTimeout(() => {}, 3600003)"', { run_in_background: true })} ${bash('setsid node -e "setTimeout(() => {}, 3600004)" >/dev/null 2>&1 & echo started')} [[next]] [[text Left.]]`,
    );
    runner.closeInput();
    const { code, last } = await runner.end();
    expect([code, last.at(-1)?.type]).toEqual([0, 'complete']);
  });

  it('at the end of the input a background command that ends soon does no harm', {
    tags: ['full'],
  }, async () => {
    // The third request is of the turn for which the agent wakes; it may be cut off, but that is no error.
    stage.simulator.setScript({
      replies: [{ when: { nth: 3 }, blocks: [{ text: 'Woken.' }], delayMs: 4000 }],
    });
    await using runner = new Driver(stage);
    runner.message(
      `${bash('node -e "setTimeout(() => {}, 700)"', { run_in_background: true })} [[next]] [[text Left.]]`,
    );
    runner.closeInput();
    const { code, last } = await runner.end();
    stage.simulator.setScript({ replies: [] });
    expect([code, only(last, 'error'), last.at(-1)?.type]).toEqual([0, [], 'complete']);
  });

  it('[command stop] in a question lets it be answered', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    runner.message('[[ask Which? | A | B]] [[next]] [[text Done.]]');
    const { requestId } = await runner.next('user_question_request');
    runner.send({ type: 'stop' });
    runner.send({ type: 'user_question_response', questionRequestId: requestId, answers: { 'Which?': 'A' } });
    const { code, last } = await runner.end();
    expect([code, textOf(last), last.at(-1)?.type]).toEqual([0, 'Done.', 'complete']);
  });

  it('loses nothing when the parent reads late', { tags: ['full'] }, async () => {
    stage.simulator.setScript({ replies: [{ blocks: [{ text: 'abcdefgh'.repeat(1000), repeat: 500 }] }] });
    await using runner = new Driver(stage);
    runner.message('Speak.');
    runner.closeInput();
    await runner.next('text_delta');
    runner.pauseOutput();
    // The simulator is through with its answer, so what is not read yet waits in the runner or in the pipe.
    await stage.simulator.waitFor(
      ({ answer, decision }) => answer !== undefined && decision?.from === 'script',
    );
    runner.resumeOutput();
    const { code, last } = await runner.end();
    stage.simulator.setScript({ replies: [] });
    expect([code, textOf(last).length, last.at(-1)?.type]).toEqual([0, 4_000_000, 'complete']);
  });

  it.each([
    ['question', '[[ask Which? | A | B]]', 'user_question_request', 'bypassPermissions'],
    ['permission', bash('node -e 1'), 'permission_request', 'default'],
    ['plan', tool('ExitPlanMode'), 'plan_approval_request', 'plan'],
  ] as const)(
    'by SIGTERM in a %s asks the model nothing more',
    { tags: ['full'] },
    async (_kind, call, request, mode) => {
      await using runner = new Driver(stage, { args: ['--permission-mode', mode] });
      runner.message(`${call} [[next]] [[text never]]`);
      await runner.next(request);
      const before = requests();
      runner.signal('SIGTERM');
      const { code, last } = await runner.end();
      expect([code, requests()]).toEqual([0, before]);
      expect(only(last, 'tool_end').map(({ success }) => success)).toEqual([false]);
      expect(last.at(-1)).toMatchObject({ type: 'shutdown', reason: 'SIGTERM' });
    },
  );

  it('a second signal changes nothing', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    await runner.turn('[[text one]]');
    runner.signal('SIGTERM');
    runner.signal('SIGINT');
    runner.signal('SIGTERM');
    const { code, last } = await runner.end();
    expect([code, only(last, 'shutdown').map(({ reason }) => reason)]).toEqual([0, [expect.any(String)]]);
  });
});

describe('a death', () => {
  it('[end agent died] [exit 1] [event agent_exited] [event error] of the agent ends the runner with 1 and its tools too', async () => {
    await using runner = new Driver(stage);
    runner.message(`[[text So]] ${longCommand()} [[next]] [[text never]]`);
    await runner.next('hook_pre_tool');
    await runner.runs('3600000');
    const [agent] = await runner.processes('--output-format stream-json');
    if (!agent) throw new Error('no agent');
    process.kill(agent.pid, 'SIGKILL');
    const { code, last } = await runner.end();

    expect(code).toBe(1);
    expect(only(last, 'agent_exited')).toMatchObject([{ exitCode: null, signal: 'SIGKILL', oom: false }]);
    expect(only(last, 'tool_end').map(({ success }) => success)).toEqual([false]);
    expect(only(last, 'error')).toHaveLength(1);
    expect(only(last, 'error')[0]?.message).toContain('SIGKILL');
    expect(last.at(-1)?.type).toBe('shutdown');
  });

  it('of the agent between turns is told the same way', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    await runner.turn('[[text one]]');
    const [agent] = await runner.processes('--output-format stream-json');
    if (!agent) throw new Error('no agent');
    process.kill(agent.pid, 'SIGKILL');
    const { code, last } = await runner.end();
    expect([code, only(last, 'error').length]).toEqual([1, 1]);
  });

  it('of the runner takes the agent along, and the model is asked nothing more', {
    tags: ['full'],
  }, async () => {
    await using runner = new Driver(stage);
    runner.message('[[ask Which? | A | B]] [[next]] [[text never]]');
    await runner.next('user_question_request');
    const before = requests();
    runner.signal('SIGKILL');
    expect((await runner.exited).signal).toBe('SIGKILL');
    await runner.isRidOf('--output-format stream-json');
    expect(requests()).toBe(before);
  });

  it('of the runner with -9 in a tool leaves strays only until the next start', async () => {
    await using killed = new Driver(stage);
    killed.message(`${longCommand()} [[next]] [[text never]]`);
    await killed.next('hook_pre_tool');
    await killed.runs('3600000');
    killed.signal('SIGKILL');
    await killed.exited;
    await killed.isRidOf('--output-format stream-json');

    await using next = new Driver(stage);
    await next.turn('[[text again]]');
    await killed.isRidOf('3600000');
    next.closeInput();
    expect((await next.end()).code).toBe(0);
  });

  it('[end output closed] of the parent that read ends the runner', async () => {
    await using runner = new Driver(stage);
    await runner.turn('[[text one]]');
    runner.closeOutput();
    runner.message('[[text nobody reads this]]');
    await runner.end();
  });
});
