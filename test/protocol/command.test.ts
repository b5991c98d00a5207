import { expect, test } from 'vitest';
import { commandDefinitions, readCommand } from '../../src/protocol/index.js';
import { keysOf } from '../../src/protocol/keys.js';
import { commandSamples } from './command-samples.js';

const types = keysOf(commandDefinitions);

const promised = `
  message stop interrupt set_model set_permission_mode set_max_thinking_tokens
  get_supported_models get_supported_commands get_mcp_status get_account_info
  rewind_files user_question_response plan_approval_response permission_response park
  reconnect_mcp_server toggle_mcp_server withdraw
`;

test('the commands are exactly what was promised', () => {
  expect(types.toSorted()).toEqual(promised.trim().split(/\s+/).toSorted());
});

test.each(types)('%s survives the wire, and what it does not know is ignored', (type) => {
  const command = commandSamples[type];
  const line: unknown = JSON.parse(JSON.stringify({ ...command, since: 'tomorrow' }));

  expect(readCommand(line)).toEqual({ ok: true, command });
});

test.each([null, 1, 'stop', true, [], ['stop']])('%j is not a command', (line) => {
  expect(readCommand(line)).toEqual({
    ok: false,
    command: null,
    error: 'A command must be a JSON object with a "type".',
  });
});

test.each([{}, { type: 1 }, { type: null }])('%j has no type', (line) => {
  expect(readCommand(line)).toEqual({
    ok: false,
    command: null,
    error: 'A command must have a "type" that is a string.',
  });
});

test.each(['dance', 'toString', '__proto__', ''])(
  'the unknown type %j is named, with those there are',
  (type) => {
    expect(readCommand(JSON.parse(`{"type":${JSON.stringify(type)}}`))).toEqual({
      ok: false,
      command: type,
      error: `There is no such command. Known: ${types.join(', ')}.`,
    });
  },
);

test('a long unknown type is cut', () => {
  const reading = readCommand({ type: 'x'.repeat(1000) });

  expect(reading).toMatchObject({ ok: false, command: 'x'.repeat(100) });
});

test.each([
  [{ type: 'message' }, 'content: Invalid input: expected string, received undefined'],
  [{ type: 'set_model', model: '' }, 'model: Too small: expected string to have >=1 characters'],
  [
    { type: 'set_permission_mode', permissionMode: 'yolo' },
    'permissionMode: Invalid option: expected one of "bypassPermissions"|"default"|"acceptEdits"|"plan"|"dontAsk"',
  ],
  [
    { type: 'toggle_mcp_server' },
    'serverName: Invalid input: expected string, received undefined; serverEnabled: Invalid input: expected boolean, received undefined',
  ],
  [
    { type: 'message', content: 'x', attachments: [{ type: 'image', mediaType: 'image/png', data: '*' }] },
    'attachments.0.data: Invalid base64-encoded string',
  ],
])('%j is refused with the field and the reason', (line, error) => {
  expect(readCommand(line)).toEqual({ ok: false, command: line.type, error });
});
