import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { first, only, stable, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const noStats = {
  toolCalls: 0,
  toolsByType: {},
  subAgents: 0,
  filesRead: 0,
  filesWritten: 0,
  bashCommands: 0,
  webSearches: 0,
  totalToolDurationMs: 0,
};
const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };

describe('a conversation', () => {
  it('[event ready] [event init] [event session_id_update] [event session_started] [event assistant_text] [event tool_start] [event tool_end] [event hook_pre_tool] [event hook_post_tool] [event agent_stop] [event result] [event turn_complete] [event session_ended] [event complete] tells two turns of one process in one order', async () => {
    await using runner = new Driver(stage);
    runner.message('[[text Look.]] [[tool Bash {"command":"echo hi"}]] [[next]] [[text "a\\n\\nb"]]');
    await runner.until('turn_complete');
    await runner.turn('hello');
    runner.closeInput();
    const { code } = await runner.end();

    expect(code).toBe(0);
    const sessionId = 'session 1';
    const tool = { tool: 'Bash' };
    expect(stable(runner.events, stage.home)).toEqual([
      {
        type: 'ready',
        conversationId: 'default',
        cwd: '~/workspace',
        resuming: false,
        model: null,
        runtime: 'claude',
      },
      { type: 'session_id_update', sessionId },
      { type: 'session_started', sessionId, cwd: '~/workspace' },
      { type: 'assistant_text', content: 'Look.' },
      { type: 'tool_start', id: 'tool 1', ...tool, params: { command: 'echo hi' } },
      { type: 'hook_pre_tool', toolUseId: 'tool 1', ...tool },
      { type: 'hook_post_tool', toolUseId: 'tool 1', ...tool, duration: 0 },
      { type: 'tool_end', id: 'tool 1', ...tool, success: true, summary: 'hi', duration: 0 },
      { type: 'assistant_text', content: 'a\n\n' },
      { type: 'agent_stop' },
      { type: 'context_window_size', contextWindow: 1_000_000 },
      { type: 'assistant_text', content: 'b' },
      {
        type: 'result',
        success: true,
        subtype: 'success',
        cost: 0,
        turns: 2,
        usage: noUsage,
        origin: 'message',
        text: 'a\n\nb',
        messageUuid: 'message 1',
        durationMs: 0,
        stats: { ...noStats, toolCalls: 1, toolsByType: { Bash: 1 }, bashCommands: 1 },
      },
      { type: 'turn_complete', sessionId },
      { type: 'agent_stop' },
      { type: 'assistant_text', content: 'Simulated reply to: hello' },
      {
        type: 'result',
        success: true,
        subtype: 'success',
        cost: 0,
        turns: 1,
        usage: noUsage,
        origin: 'message',
        text: 'Simulated reply to: hello',
        messageUuid: 'message 2',
        durationMs: 0,
        stats: noStats,
      },
      { type: 'turn_complete', sessionId },
      { type: 'session_ended', sessionId, reason: 'ended' },
      { type: 'agent_exited', exitCode: 0, signal: null, oom: false },
      { type: 'complete', sessionId },
    ]);
    // Said once for the session, not once per turn.
    expect(only(runner.events, 'init')).toHaveLength(1);
    expect(first(runner.events, 'init')).toMatchObject({
      model: 'claude-opus-5-5',
      permissionMode: 'bypassPermissions',
      budgetConfig: {},
      mcpServers: [{ name: 'handraise', status: 'connected' }],
    });
  });

  it('[command message] gives messages of a running turn a turn each, in order, with their own uuid', async () => {
    await using runner = new Driver(stage);
    const uuids = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
    runner.message('[[slow 20]] [[text one]]', { uuid: uuids[0] });
    await runner.next('text_delta');
    for (const [at, word] of ['two', 'three', 'four'].entries()) {
      runner.message(`[[text ${word}]]`, { uuid: uuids[at + 1] });
    }
    const turns = [];
    while (turns.length < 4) turns.push(await runner.until('turn_complete'));

    expect(turns.map(textOf)).toEqual(['one', 'two', 'three', 'four']);
    expect(turns.map((turn) => first(turn, 'result').messageUuid)).toEqual(uuids);
    const asked = stage.simulator.modelRequests().slice(-4);
    expect(asked.map(({ conversation }) => lastUserText(conversation?.entries))).toEqual([
      '[[slow 20]] [[text one]]',
      '[[text two]]',
      '[[text three]]',
      '[[text four]]',
    ]);
  });

  it('[command message] with the uuid of an earlier one does not hang the run', async () => {
    await using runner = new Driver(stage);
    const uuid = '00000000-0000-4000-8000-000000000001';
    await runner.turn('[[text one]]', { uuid });
    runner.message('[[text two]]', { uuid });
    const turn = await runner.turn('[[text three]]');
    expect(textOf(turn)).toMatch(/two|three/);
  });

  it('[end input closed] [exit 0] works on what was queued, then [event complete]', async () => {
    await using runner = new Driver(stage);
    runner.message('[[text one]]');
    runner.message('[[text two]]');
    runner.closeInput();
    const { code } = await runner.end();

    expect(code).toBe(0);
    expect(only(runner.events, 'result').map(({ text }) => text)).toEqual(['one', 'two']);
    expect(runner.events.at(-1)?.type).toBe('complete');
  });

  it('[command stop] [end stop] finishes the running turn, drops the rest with a [event warning] and exits 0', async () => {
    await using runner = new Driver(stage);
    runner.message('[[slow 20]] [[text This turn is let finish.]]');
    await runner.next('text_delta');
    runner.message('[[text never]]');
    runner.send({ type: 'stop' });
    runner.message('[[text too late]]');
    const { code, last } = await runner.end();

    expect(code).toBe(0);
    expect(only(last, 'result').map(({ text, success }) => [text, success])).toEqual([
      ['This turn is let finish.', true],
    ]);
    expect(only(last, 'warning').map(({ message }) => message)).toEqual([
      expect.stringContaining('1 message'),
    ]);
    expect(only(last, 'command_error').map(({ command }) => command)).toEqual(['message']);
    expect(last.at(-1)?.type).toBe('complete');
  });

  it('[command stop] without any turn ends at once with [event complete]', async () => {
    await using runner = new Driver(stage);
    await runner.next('ready');
    runner.send({ type: 'stop' });
    const { code, last } = await runner.end();

    expect(code).toBe(0);
    expect(last.at(-1)).toMatchObject({ type: 'complete' });
  });

  it('ends with [event complete] and exit 0 when the input is empty', async () => {
    await using runner = new Driver(stage);
    runner.closeInput();
    const { code, last } = await runner.end();
    expect([code, last.at(-1)?.type]).toEqual([0, 'complete']);
  });

  it('[event status_evidence] [event context_usage] [event context_window_size] [event text_delta] reports facts while it works', async () => {
    await using runner = new Driver(stage);
    const turn = await runner.turn('[[usage input=1200 output=34 cache-read=5]] [[text Working.]]');

    expect(first(turn, 'context_usage')).toMatchObject({
      inputTokens: 1200,
      outputTokens: 34,
      cacheReadInputTokens: 5,
      cacheCreationInputTokens: 0,
    });
    expect(only(turn, 'context_window_size').map(({ contextWindow }) => contextWindow)).toEqual([1_000_000]);
    expect(
      only(turn, 'text_delta')
        .map(({ content }) => content)
        .join(''),
    ).toBe('Working.');
    const evidence = await runner.until('status_evidence', ({ fact }) => fact === 'said_idle');
    const facts = only([...turn, ...evidence], 'status_evidence').map(({ fact }) => fact);
    expect(facts).toEqual(['turn_started', 'sign_of_life', 'said_busy', 'turn_ended', 'said_idle']);
  });
});

function lastUserText(entries: readonly { kind: string; text?: string }[] = []): string | undefined {
  return entries.findLast(({ kind }) => kind === 'user')?.text;
}
