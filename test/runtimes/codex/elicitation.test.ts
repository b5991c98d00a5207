import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stage } from '../../harness/stage.js';
import type { Driver } from '../../runner/driver.js';
import { tool } from '../../runner/prompting.js';
import { first, only } from '../../runner/stable.js';
import { driveCodex, openCodexStage } from './codex-driver.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openCodexStage();
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const args = [new URL('../../fixtures/mcp/eliciting-server.js', import.meta.url).pathname];
const schema = {
  type: 'object',
  properties: {
    // Codex hands the fields on in the order of their names.
    count: { type: 'integer', minimum: 1, maximum: 9 },
    region: { type: 'string', title: 'Region', enum: ['eu', 'us'] },
  },
  required: ['region'],
};

function eliciting(): Driver {
  const file = join(stage.home, 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { el: { command: process.execPath, args } } }));
  return driveCodex(stage, { args: ['--mcp-servers-file', file] });
}

const form = (more: Record<string, unknown> = {}) =>
  `${tool('mcp__el__form', { message: 'Deploy?', schema, ...more })} [[next]] [[text ok]]`;

/** What the server says that it was told. */
async function told(runner: Driver): Promise<string> {
  return first(await runner.until('turn_complete'), 'tool_end').summary;
}

describe('an MCP server that asks through Codex', () => {
  it('hears what fits its schema, and apart a refusal, a closed question and silence', async () => {
    await using runner = eliciting();
    const asked = async () => {
      runner.message(form());
      return await runner.next('user_question_request');
    };
    const { requestId: questionRequestId, questions, waitsUntil } = await asked();
    expect(waitsUntil).toBeDefined();
    expect(questions.map(({ server, expects }) => ({ server, expects }))).toEqual([
      { server: 'el', expects: { type: 'integer', minimum: 1, maximum: 9, isOptional: true } },
      { server: 'el', expects: { type: 'choice' } },
    ]);
    const answer = { type: 'user_question_response', questionRequestId };
    runner.send({ ...answer, answers: { 'Deploy?\nRegion': 'eu', 'Deploy?\ncount': 'many' } });
    expect(await runner.next('command_error')).toMatchObject({ requestId: questionRequestId });
    runner.send({ ...answer, answers: { 'Deploy?\nRegion': 'eu', 'Deploy?\ncount': '3' } });
    expect(await told(runner)).toContain(
      JSON.stringify({ action: 'accept', content: { count: 3, region: 'eu' } }),
    );

    const declining = (await asked()).requestId;
    runner.send({
      type: 'user_question_response',
      questionRequestId: declining,
      answers: {},
      declined: true,
    });
    expect(await told(runner)).toContain('"action":"decline"');
    runner.send({
      type: 'withdraw',
      requestId: (await asked()).requestId,
      reason: 'Not now.',
      byPerson: true,
    });
    const closed = await told(runner);
    expect(closed).toContain('"action":"cancel"');
    expect(closed).not.toContain('unanswered');
    runner.send({ type: 'withdraw', requestId: (await asked()).requestId, reason: 'Nobody was there.' });
    expect(await told(runner)).toContain('"handraise/unanswered":"Nobody was there."');
  });

  it('has a page approved, whole and with its host', { tags: ['full'] }, async () => {
    await using runner = eliciting();
    const url = 'https://login.example/a?b=1';
    runner.message(`${tool('mcp__el__page', { message: 'Please log in.', url })} [[next]] [[text ok]]`);
    const request = await runner.next('permission_request');
    expect(request).toMatchObject({
      tool: 'OpenUrl',
      server: 'el',
      input: { url, host: 'login.example', message: 'Please log in.' },
    });
    runner.send({ type: 'permission_response', permissionRequestId: request.requestId, approved: true });
    expect(await told(runner)).toContain('"action":"accept"');
  });

  it('that gives up takes its question back', { tags: ['full'] }, async () => {
    await using runner = eliciting();
    runner.message(form({ patienceMs: 300 }));
    const { requestId } = await runner.next('user_question_request');
    expect(await told(runner)).toContain('gave up: -32001');
    expect(only(runner.events, 'request_withdrawn')).toMatchObject([{ requestId, reason: 'server_gave_up' }]);
  });
});
