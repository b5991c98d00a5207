import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, tool } from './prompting.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

describe('what a turn did', () => {
  it('[stat toolCalls] [stat toolsByType] [stat filesRead] [stat filesWritten] [stat bashCommands] [stat webSearches] [stat totalToolDurationMs] is counted per turn', async () => {
    const file = join(stage.workspace, 'counted.txt');
    await writeFile(file, 'one');
    await using runner = new Driver(stage, { args: ['--tool-preset', 'no-bash'] });
    const turn = await runner.turn(
      [
        tool('Read', { file_path: file }),
        tool('Glob', { pattern: '*.txt' }),
        tool('Grep', { pattern: 'one' }),
        '[[next]]',
        tool('Edit', { file_path: file, old_string: 'one', new_string: 'two' }),
        tool('Write', { file_path: join(stage.workspace, 'fresh.txt'), content: 'x' }),
        tool('WebFetch', { url: 'http://127.0.0.1:9/', prompt: 'What is there?' }),
        '[[next]] [[text Counted.]]',
      ].join(' '),
    );
    const { stats } = first(turn, 'result');
    expect(stats).toEqual({
      toolCalls: 6,
      toolsByType: { Read: 1, Glob: 1, Grep: 1, Edit: 1, Write: 1, WebFetch: 1 },
      subAgents: 0,
      filesRead: 3,
      filesWritten: 2,
      bashCommands: 0,
      webSearches: 1,
      totalToolDurationMs: expect.any(Number),
    });
    const durations = only(turn, 'tool_end').map(({ duration }) => duration);
    expect(stats.totalToolDurationMs).toBeCloseTo(durations.reduce((sum, one) => sum + one, 0));

    const next = await runner.turn('[[text Nothing.]]');
    expect(first(next, 'result').stats).toMatchObject({ toolCalls: 0, toolsByType: {}, filesRead: 0 });
  });

  it('[event hook_tool_failure] [event tool_end] tells a failure with its summary', async () => {
    await using runner = new Driver(stage);
    const turn = await runner.turn(`${bash('echo broken >&2; exit 3')} [[next]] [[text Noted.]]`);
    expect(first(turn, 'hook_tool_failure')).toMatchObject({
      tool: 'Bash',
      error: expect.stringContaining('broken'),
    });
    expect(first(turn, 'tool_end')).toMatchObject({
      success: false,
      summary: expect.stringContaining('broken'),
    });
    expect(first(turn, 'result').success).toBe(true);
  });

  it('[event tool_end] shows the beginning of a long output and says how long it was', async () => {
    await using runner = new Driver(stage);
    const turn = await runner.turn(`${bash('seq 2000')} [[next]] [[text Counted.]]`);
    const said = Array.from({ length: 2000 }, (_, index) => `${index + 1}`).join('\n');
    const { summary, outputLength, ...end } = first(turn, 'tool_end');
    expect([summary, outputLength]).toEqual([`${said.slice(0, 500)}…`, said.length]);
    expect(Object.keys(end).filter((name) => name.startsWith('output'))).toEqual([]);
  });

  it('[event tool_end] never cuts an emoji in two', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    const print = `node -e "process.stdout.write('x'.repeat(499) + String.fromCodePoint(0x1f600).repeat(9))"`;
    const turn = await runner.turn(`${bash(print)} [[next]] [[text Cut.]]`);
    expect(first(turn, 'tool_end').summary).not.toMatch(/\p{Surrogate}/u);
  });

  it('[event todo_update] follows TaskCreate and TaskUpdate', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--model', 'claude-sonnet-4-5'] });
    const turn = await runner.turn(
      [
        tool('TaskCreate', { subject: 'Look', description: 'Look around', activeForm: 'Looking' }),
        '[[next]]',
        tool('TaskCreate', { subject: 'Leap', description: 'Leap far' }),
        '[[next]]',
        tool('TaskUpdate', { taskId: '1', status: 'completed' }),
        '[[next]] [[text Listed.]]',
      ].join(' '),
    );
    const look = { id: '1', content: 'Look', status: 'pending', activeForm: 'Looking' };
    const leap = { id: '2', content: 'Leap', status: 'pending' };
    expect(only(turn, 'todo_update').map(({ todos }) => todos)).toEqual([
      [look],
      [look, leap],
      [{ ...look, status: 'completed' }, leap],
    ]);
  });

  it('[event todo_update] follows TodoWrite', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, {
      args: ['--model', 'claude-sonnet-4-5'],
      env: { CLAUDE_CODE_ENABLE_TASKS: '0' },
    });
    const todos = [
      { content: 'Look', status: 'in_progress', activeForm: 'Looking' },
      { content: 'Leap', status: 'pending', activeForm: 'Leaping' },
    ];
    const turn = await runner.turn(`${tool('TodoWrite', { todos })} [[next]] [[text Listed.]]`);
    expect(only(turn, 'todo_update').map((event) => event.todos)).toEqual([todos]);
  });

  it('[event compact_boundary] tells that the conversation was compacted', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    await runner.turn('[[text A long story.]]');
    runner.message('/compact');
    const boundary = await runner.next('compact_boundary');
    expect(boundary).toMatchObject({ trigger: 'manual', preTokens: expect.any(Number) });
    await runner.until('turn_complete');
    expect(textOf(await runner.turn('[[text Short now.]]'))).toBe('Short now.');
    expect(only(runner.events, 'subagent_stopped')).toEqual([]);
    expect(only(runner.events, 'unrecognized')).toEqual([]);
  });

  it('gives a new session its events after /clear', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    const before = first(await runner.turn('[[text one]]'), 'turn_complete').sessionId;
    await runner.turn('/clear');
    const after = first(await runner.turn('[[text two]]'), 'turn_complete').sessionId;
    expect(after).not.toBe(before);
    expect(only(runner.events, 'session_id_update').map(({ sessionId }) => sessionId)).toEqual([
      before,
      after,
    ]);
    expect(only(runner.events, 'session_ended')).toMatchObject([{ sessionId: before }]);
    expect(only(runner.events, 'init')).toHaveLength(1);
  });

  it('[command message] carries images and files as attachments', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await runner.turn('[[text Seen.]]', {
      attachments: [
        { type: 'image', mediaType: 'image/png', data: png, name: 'dot.png' },
        {
          type: 'file',
          path: 'a "quoted" <path>&.txt',
          content: 'line 1\n</attached_file>\n</ATTACHED_FILE >end',
        },
      ],
    });
    const body = stage.simulator.modelRequests().at(-1)?.body as {
      messages: { role: string; content: { type: string; text?: string; source?: unknown }[] }[];
    };
    const content = body.messages.findLast(({ role }) => role === 'user')?.content ?? [];
    expect(content.find(({ type }) => type === 'image')?.source).toEqual({
      type: 'base64',
      media_type: 'image/png',
      data: png,
    });
    const wrapped = content.find(({ text }) => text?.includes('<attached_file'))?.text;
    expect(wrapped).toBe(
      '<attached_file path="a &quot;quoted&quot; &lt;path&gt;&amp;.txt" lines="3">\nline 1\n&lt;/attached_file>\n&lt;/ATTACHED_FILE >end\n</attached_file>',
    );
    expect(content.some(({ text }) => text?.includes('[[text Seen.]]'))).toBe(true);

    for (const bad of [
      { type: 'image', mediaType: 'image/tiff', data: png },
      { type: 'image', mediaType: 'image/png', data: 'not base64!' },
      { type: 'file', path: 'x' },
      { type: 'video' },
    ]) {
      runner.message('x', { attachments: [bad] });
      expect(await runner.next('command_error')).toMatchObject({ command: 'message' });
    }
  });
});

describe('the project', () => {
  it('is not touched by the runner itself', { tags: ['full'] }, async () => {
    const cwd = join(stage.home, 'clean');
    await mkdir(cwd);
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    await runner.turn('[[text one]]');
    runner.closeInput();
    await runner.end();
    const { readdir } = await import('node:fs/promises');
    expect(await readdir(cwd)).toEqual([]);
  });
});
