import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { tool } from './prompting.js';
import { first, only } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const server = {
  command: process.execPath,
  args: [new URL('../fixtures/mcp/eliciting-server.js', import.meta.url).pathname],
};
const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', title: 'Region', enum: ['eu', 'us'], enumNames: ['Europe', 'America'] },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    sure: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b, c', 'd'] }, maxItems: 2 },
    mail: { type: 'string', format: 'email' },
  },
  required: ['region', 'count', 'sure'],
};

async function elicitingRunner(...args: string[]): Promise<Driver> {
  const file = join(stage.home, 'servers.json');
  await writeFile(file, JSON.stringify({ mcpServers: { el: server } }));
  return new Driver(stage, { args: ['--mcp-servers-file', file, ...args] });
}

const form = (more: Record<string, unknown> = {}) =>
  `${tool('mcp__el__form', { message: 'Deploy?', schema, ...more })} [[next]] [[text ok]]`;
const page = (url: string) =>
  `${tool('mcp__el__page', { message: 'Please log in.', url })} [[next]] [[text ok]]`;

async function told(runner: Driver): Promise<unknown> {
  const turn = await runner.until('turn_complete');
  return JSON.parse(first(turn, 'tool_end').summary);
}

describe('an MCP server that asks', () => {
  it('by a form gets the answers, once they fit its schema', async () => {
    await using runner = await elicitingRunner();
    runner.message(form());
    const asked = await runner.until('user_question_request');
    const request = first(asked, 'user_question_request');
    const { requestId: questionRequestId, questions, toolUseId, timestamp, waitsUntil = '' } = request;
    const from = { server: 'el', tool: 'mcp__el__form' };
    const named = { multiSelect: false, ...from };
    expect(questions).toEqual([
      {
        question: 'Deploy?\nRegion',
        header: 'Region',
        ...named,
        options: [{ label: 'Europe' }, { label: 'America' }],
        expects: { type: 'choice' },
      },
      {
        question: 'Deploy?\ncount',
        header: 'count',
        ...named,
        context: 'A whole number from 1 to 9.',
        options: [],
        expects: { type: 'integer', minimum: 1, maximum: 9 },
      },
      {
        question: 'Deploy?\nsure',
        header: 'sure',
        ...named,
        options: [{ label: 'yes' }, { label: 'no' }],
        expects: { type: 'choice' },
      },
      {
        question: 'Deploy?\ntags',
        header: 'tags',
        ...from,
        multiSelect: true,
        context: 'Choose at most 2. Optional: answer - to leave it empty.',
        options: [{ label: 'a' }, { label: 'b, c' }, { label: 'd' }],
        expects: { type: 'choice', maxItems: 2, isOptional: true },
      },
      {
        question: 'Deploy?\nmail',
        header: 'mail',
        ...named,
        context: 'An email address. Optional: answer - to leave it empty.',
        options: [],
        expects: { type: 'text', format: 'email', isOptional: true },
      },
    ]);
    expect(toolUseId).toBe(only(asked, 'tool_start')[0]?.id);
    expect(Date.parse(waitsUntil) - Date.parse(timestamp)).toBeGreaterThan(50_000);

    const fit = { 'Deploy?\nRegion': 'Europe', 'Deploy?\ncount': '3', 'Deploy?\nsure': 'no' };
    const unfit = [
      { ...fit, 'Deploy?\nRegion': 'Mars' },
      { ...fit, 'Deploy?\ncount': '10' },
      { ...fit, 'Deploy?\ntags': 'a, b, c, d' },
      { ...fit, 'Deploy?\nmail': 'nobody' },
      { 'Deploy?\nRegion': 'Europe' },
    ];
    for (const answers of unfit) {
      runner.send({ type: 'user_question_response', questionRequestId, answers });
      expect(await runner.next('command_error')).toMatchObject({ requestId: questionRequestId });
    }
    const answers = { ...fit, 'Deploy?\ntags': 'b, c, a', 'Deploy?\nmail': '-' };
    runner.send({ type: 'user_question_response', questionRequestId, answers });
    expect(await told(runner)).toEqual({
      action: 'accept',
      content: { region: 'eu', count: 3, sure: false, tags: ['b, c', 'a'] },
    });
  });

  it('[arg --impatient-tools] and gave up before waits until a person lets the call begin', async () => {
    await using runner = await elicitingRunner('--impatient-tools', 'mcp__other__tool,mcp__el__form');
    runner.message(form());
    const asked = first(await runner.until('permission_request'), 'permission_request');
    expect(asked).toMatchObject({ tool: 'mcp__el__form', onlyPerson: true });
    runner.send({ type: 'permission_response', permissionRequestId: asked.requestId, approved: true });
    const { requestId: questionRequestId } = await runner.next('user_question_request');
    runner.send({ type: 'user_question_response', questionRequestId, answers: {}, declined: true });
    expect(await told(runner)).toEqual({ action: 'decline' });
  });

  it('hears apart that a person refuses, that one closes the question, and that nobody answers', {
    tags: ['full'],
  }, async () => {
    await using runner = await elicitingRunner();
    const asked = async () => {
      runner.message(form());
      return (await runner.next('user_question_request')).requestId;
    };
    runner.send({
      type: 'user_question_response',
      questionRequestId: await asked(),
      answers: {},
      declined: true,
    });
    expect(await told(runner)).toEqual({ action: 'decline' });
    runner.send({ type: 'withdraw', requestId: await asked(), reason: 'Not now.', byPerson: true });
    expect(await told(runner)).toEqual({ action: 'cancel' });
    runner.send({ type: 'withdraw', requestId: await asked(), reason: 'Nobody answered in time.' });
    expect(await told(runner)).toEqual({
      action: 'cancel',
      content: { 'handraise/unanswered': 'Nobody answered in time.' },
    });
  });

  it('by a page has the whole address and its host approved, in a mode that allows everything', {
    tags: ['full'],
  }, async () => {
    await using runner = await elicitingRunner();
    const url = 'https://xn--e1awd7f.example:8443/login?state=1&next=%2F';
    for (const approved of [true, false]) {
      runner.message(page(url));
      const request = await runner.next('permission_request');
      expect(request).toMatchObject({
        tool: 'OpenUrl',
        server: 'el',
        input: { server: 'el', url, host: 'xn--e1awd7f.example:8443', message: 'Please log in.' },
        waitsUntil: expect.any(String),
      });
      runner.send({ type: 'permission_response', permissionRequestId: request.requestId, approved });
      expect(await told(runner)).toEqual({ action: approved ? 'accept' : 'decline' });
    }
    runner.message(page('file:///etc/passwd'));
    expect(await told(runner)).toMatchObject({ action: 'cancel' });
    expect(only(runner.events, 'permission_request')).toHaveLength(2);
    expect(only(runner.events, 'unrecognized')).toEqual([]);
  });

  it('[event request_withdrawn] that gives up takes its question back, and the turn goes on', async () => {
    await using runner = await elicitingRunner();
    runner.message(form({ patienceMs: 300 }));
    const { requestId } = await runner.next('user_question_request');
    expect(await runner.next('request_withdrawn')).toMatchObject({ requestId, reason: 'server_gave_up' });
    expect(await told(runner)).toBe('gave up: -32001');
    runner.send({
      type: 'user_question_response',
      questionRequestId: requestId,
      answers: {},
      declined: true,
    });
    expect(await runner.next('command_error')).toMatchObject({ requestId });
  });

  it('is told that nothing came of it when the turn is interrupted', { tags: ['full'] }, async () => {
    await using runner = await elicitingRunner();
    runner.message(form());
    await runner.next('user_question_request');
    runner.send({ type: 'interrupt' });
    const turn = await runner.until('turn_complete');
    expect(only(turn, 'interrupted')).toHaveLength(1);
    expect(only(turn, 'request_withdrawn')).toEqual([]);
  });
});
