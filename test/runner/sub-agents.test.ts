import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, subAgent } from './prompting.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const child = (command: string) =>
  `<<think Child thoughts.>> <<text Child talk.>> <<tool Bash ${JSON.stringify({ command })}>> <<next>> <<text The child is done.>>`;

describe('a sub-agent', () => {
  it('[event subagent_started] [event subagent_output] [event subagent_stopped] [stat subAgents] owns its tools, and its words are not the main agent’s', async () => {
    await using runner = new Driver(stage);
    const turn = await runner.turn(
      `[[text I delegate.]] ${subAgent(child('echo from below'))} [[next]] [[text The parent is done.]]`,
    );

    const [agentCall, childCall] = only(turn, 'tool_start');
    const { agentId } = first(turn, 'subagent_started');
    expect(first(turn, 'subagent_started')).toMatchObject({
      agentType: 'general-purpose',
      parentToolUseId: agentCall?.id,
    });
    expect(agentCall).toMatchObject({ tool: 'Agent' });
    expect(agentCall?.agentId).toBeUndefined();
    expect(childCall).toMatchObject({ tool: 'Bash', agentId, parentToolUseId: agentCall?.id });
    expect(only(turn, 'tool_end').map(({ tool, success, agentId }) => [tool, success, agentId])).toEqual([
      ['Bash', true, agentId],
      ['Agent', true, undefined],
    ]);
    expect(only(turn, 'hook_pre_tool').map(({ tool, agentId }) => [tool, agentId])).toEqual([
      ['Agent', undefined],
      ['Bash', agentId],
    ]);
    expect(first(turn, 'subagent_output')).toMatchObject({
      agentId,
      agentOutput: expect.stringContaining('The child is done.'),
    });
    expect(first(turn, 'subagent_stopped')).toMatchObject({ agentId });
    expect(textOf(turn)).toBe('I delegate.The parent is done.');
    expect(only(turn, 'thinking')).toEqual([]);
    expect(first(turn, 'result').stats).toMatchObject({
      toolCalls: 2,
      toolsByType: { Agent: 1, Bash: 1 },
      subAgents: 1,
      bashCommands: 1,
    });
  });

  it('is attributed to its own parent when two run at once', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    const turn = await runner.turn(
      `${subAgent(child('echo one'))} ${subAgent(child('echo two'))} [[next]] [[text Both.]]`,
    );
    const calls = only(turn, 'tool_start').filter(({ tool }) => tool === 'Agent');
    const started = only(turn, 'subagent_started');
    expect(new Set(started.map(({ parentToolUseId }) => parentToolUseId))).toEqual(
      new Set(calls.map(({ id }) => id)),
    );
    // The simulator numbers its calls, so that the first prompt's child is known by its command.
    for (const { tool, agentId, parentToolUseId, params } of only(turn, 'tool_start')) {
      if (tool !== 'Bash') continue;
      const parent = calls.find(({ id }) => id === parentToolUseId);
      expect(JSON.stringify(parent?.params)).toContain(String(params['command']));
      expect(started.find((one) => one.agentId === agentId)?.parentToolUseId).toBe(parentToolUseId);
    }
    expect(only(turn, 'subagent_stopped')).toHaveLength(2);
  });

  it('[event background_tasks] in the background wakes the agent for a turn of its own', async () => {
    await using runner = new Driver(stage);
    const turn = await runner.turn(
      `${subAgent(child('node -e "setTimeout(() => {}, 400)"; echo slow'), { run_in_background: true })} [[next]] [[text Launched.]]`,
    );
    expect(first(turn, 'result')).toMatchObject({ origin: 'message', text: 'Launched.' });

    const woken = await runner.until('turn_complete');
    const result = first(woken, 'result');
    expect(result).toMatchObject({ origin: 'background_task', success: true });
    expect(result.messageUuid).toBeUndefined();
    expect(textOf(woken)).not.toContain('The child is done.');
    const tasks = only(runner.events, 'background_tasks').map(({ open }) => open.map(({ kind }) => kind));
    expect(tasks).toContainEqual(['local_agent']);
    expect(tasks.at(-1)).toEqual([]);
    const { agentId } = first(runner.events, 'subagent_started');
    expect(only(runner.events, 'tool_end').find(({ tool }) => tool === 'Bash')).toMatchObject({
      agentId,
      success: true,
    });
    expect(only(runner.events, 'subagent_stopped').map((stopped) => stopped.agentId)).toEqual([agentId]);
  });

  it('in the background is waited for at the end of the input', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    runner.message(
      `${subAgent(child('node -e "setTimeout(() => {}, 300)"'), { run_in_background: true })} [[next]] [[text Launched.]]`,
    );
    runner.closeInput();
    const { code, last } = await runner.end();
    expect(code).toBe(0);
    expect(only(last, 'result').map(({ origin }) => origin)).toEqual(['message', 'background_task']);
    expect(last.at(-1)?.type).toBe('complete');
  });

  it('in the background does not disturb a message that comes meanwhile', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    await runner.turn(
      `${subAgent(child('node -e "setTimeout(() => {}, 500)"'), { run_in_background: true })} [[next]] [[text Launched.]]`,
    );
    runner.message(`${bash('node -e "setTimeout(() => {}, 1000)"')} [[next]] [[text Mine.]]`);
    const mine = await runner.next('result', ({ origin }) => origin === 'message');
    expect(mine).toMatchObject({ success: true, text: 'Mine.' });
    runner.closeInput();
    expect((await runner.end()).code).toBe(0);
  });
});
