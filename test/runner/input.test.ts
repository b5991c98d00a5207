import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
let runner: Driver;
beforeAll(async () => {
  stage = await openStage('claude');
  runner = new Driver(stage);
  await runner.turn('[[text Awake.]]');
});
afterAll(async () => {
  await runner[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

async function works(): Promise<void> {
  expect(textOf(await runner.turn('[[text Still here.]]'))).toBe('Still here.');
}

describe('bad input', () => {
  it('[event json_parse_error] answers a line that is not JSON, with its beginning', async () => {
    runner.sendRaw('{"type": oops}\n');
    expect(await runner.next('json_parse_error')).toMatchObject({
      message: expect.any(String),
      line: '{"type": oops}',
    });
    runner.sendRaw(`${'é'.repeat(500)}\n`);
    expect((await runner.next('json_parse_error')).line).toBe('é'.repeat(200));
    runner.sendRaw(`${'x'.repeat(199)}😀😀\n`);
    expect((await runner.next('json_parse_error')).line).not.toMatch(/\p{Surrogate}/u);
    await works();
  });

  it('[event json_parse_error] answers binary garbage', async () => {
    runner.sendRaw(Uint8Array.from([0, 255, 254, 128, 27, 91, 10]));
    expect(await runner.next('json_parse_error')).toBeDefined();
    await works();
  });

  it('[event command_error] answers an unknown type and bad fields', async () => {
    const refused: [unknown, string | null][] = [
      [{ type: 'dance' }, 'dance'],
      [{ type: 'toString' }, 'toString'],
      [{ type: '__proto__' }, '__proto__'],
      [{ type: 5 }, null],
      [{ kind: 'message' }, null],
      [[], null],
      ['message', null],
      [null, null],
      [42, null],
      [{ type: 'message' }, 'message'],
      [{ type: 'message', content: 5 }, 'message'],
      [{ type: 'message', content: 'x', attachments: 'y' }, 'message'],
      [{ type: 'message', content: 'x', uuid: 'not-a-uuid' }, 'message'],
      [{ type: 'set_model' }, 'set_model'],
      [{ type: 'set_model', model: '' }, 'set_model'],
      [{ type: 'set_permission_mode', permissionMode: 'root' }, 'set_permission_mode'],
      [{ type: 'set_max_thinking_tokens', maxThinkingTokens: -1 }, 'set_max_thinking_tokens'],
      [{ type: 'set_max_thinking_tokens', maxThinkingTokens: 1.5 }, 'set_max_thinking_tokens'],
      [{ type: 'rewind_files' }, 'rewind_files'],
      [{ type: 'user_question_response', questionRequestId: 'x' }, 'user_question_response'],
      [{ type: 'permission_response', approved: true }, 'permission_response'],
      [{ type: 'plan_approval_response', planApproved: true }, 'plan_approval_response'],
      [{ type: 'toggle_mcp_server', serverName: 'x' }, 'toggle_mcp_server'],
    ];
    for (const [line, command] of refused) {
      runner.sendRaw(`${JSON.stringify(line)}\n`);
      const error = await runner.next('command_error');
      expect([line, error.command, error.error.length > 0]).toEqual([line, command, true]);
    }
    await works();
  });

  it('[command message] ignores unknown fields and empty lines, and takes CRLF', async () => {
    runner.sendRaw('\n\r\n   \n{"type":"message","content":"[[text Fine.]]","colour":"blue"}\r\n');
    const turn = await runner.until('turn_complete');
    expect([textOf(turn), only(turn, 'command_error'), only(turn, 'json_parse_error')]).toEqual([
      'Fine.',
      [],
      [],
    ]);
  });

  it('[command message] of many pieces and several in one write are each one', async () => {
    const line = '{"type":"message","content":"[[text Pieces of é.]]"}\n';
    for (const byte of Buffer.from(line)) runner.sendRaw(Uint8Array.of(byte));
    expect(textOf(await runner.until('turn_complete'))).toBe('Pieces of é.');
    runner.sendRaw('{"type":"message","content":"[[text a]]"}\n{"type":"message","content":"[[text b]]"}\n');
    expect(textOf(await runner.until('turn_complete'))).toBe('a');
    expect(textOf(await runner.until('turn_complete'))).toBe('b');
  });

  it('[event json_parse_error] refuses a line past 64 MiB, and the next line works', async () => {
    const chunk = 'x'.repeat(1024 * 1024);
    runner.sendRaw('{"type":"message","content":"');
    for (let sent = 0; sent < 65; sent++) runner.sendRaw(chunk);
    runner.sendRaw('"}\n');
    const refused = await runner.next('json_parse_error');
    expect(refused.line).toHaveLength(200);
    await works();
  });

  it('[command message] of nearly 64 MiB passes', { tags: ['full'] }, async () => {
    const ignored = 'x'.repeat(63 * 1024 * 1024);
    const turn = await runner.turn('[[text Long but fine.]]', { ignored });
    expect(textOf(turn)).toBe('Long but fine.');
  });

  it('[command message] without a newline at the end of the input still counts', {
    tags: ['full'],
  }, async () => {
    await using last = new Driver(stage);
    last.sendRaw('{"type":"message","content":"[[text The last word.]]"}');
    last.closeInput();
    const { code, last: events } = await last.end();
    expect([code, first(events, 'result').text]).toEqual([0, 'The last word.']);
  });
});
