// What Claude Code says beyond what is known here becomes an event, once per kind and message; what is known stays silent.
import { expect, it } from 'vitest';
import { ClaudeTranslator } from '../../../src/runtimes/claude/translate.js';

function translated(...messages: readonly object[]) {
  const translator = new ClaudeTranslator({
    now: () => 0,
    limits: {},
    permissionMode: 'bypassPermissions',
    expectsStructuredOutput: false,
  });
  translator.begin({ uuid: 'u', messageUuid: 'u' });
  return messages.flatMap((message) => translator.message(message));
}

const stream = (event: object, parent: string | null = null) => ({
  type: 'stream_event',
  session_id: 's',
  parent_tool_use_id: parent,
  uuid: 'x',
  event,
});
const begin = (id: string) =>
  stream({ type: 'message_start', message: { id, type: 'message', role: 'assistant', content: [] } });
const delta = (inner: object, index = 0) => stream({ type: 'content_block_delta', index, delta: inner });
const started = (block: object) => stream({ type: 'content_block_start', index: 0, content_block: block });
const assistant = (id: string, ...content: readonly object[]) => ({
  type: 'assistant',
  session_id: 's',
  parent_tool_use_id: null,
  message: { id, role: 'assistant', model: 'm', content },
});
const user = (...content: readonly object[]) => ({
  type: 'user',
  session_id: 's',
  parent_tool_use_id: null,
  message: { role: 'user', content },
});

it.each([
  ['the end of a message', stream({ type: 'message_stop' })],
  ['a ping', stream({ type: 'ping' })],
  ['a signature', delta({ type: 'signature_delta', signature: 'c2lnbmVk' })],
  ['the input of a tool', delta({ type: 'input_json_delta', partial_json: '{"a"' })],
  ['a citation', delta({ type: 'citations_delta', citation: { type: 'char_location' } })],
  ['the start of a text', started({ type: 'text', text: '' })],
  ['the start of a call', started({ type: 'tool_use', id: 't', name: 'Bash', input: {} })],
  ['secret thoughts', started({ type: 'redacted_thinking', data: 'eA==' })],
  ['secret thoughts, whole', assistant('msg_1', { type: 'redacted_thinking', data: 'eA==' })],
  [
    'a picture of the user',
    user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }),
  ],
])('is silent about %s', (_what, message) => {
  expect(translated(message)).toEqual([]);
});

const unknownEvent = { type: 'message_paused', reason: 'thinking' };
const unknownDelta = { type: 'video_delta', text: 'not text of the model', frame: 'AAAA' };
const unknownBlock = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };

it.each([
  ['an event', stream(unknownEvent), unknownEvent],
  ['a delta', delta(unknownDelta), { type: 'content_block_delta', index: 0, delta: unknownDelta }],
  [
    'a delta without text',
    delta({ type: 'text_delta' }),
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta' } },
  ],
  [
    'the start of a block',
    started(unknownBlock),
    { type: 'content_block_start', index: 0, content_block: unknownBlock },
  ],
  ['a block', assistant('msg_1', unknownBlock), unknownBlock],
  ['a call without a name', assistant('msg_1', { type: 'tool_use', id: 't' }), { type: 'tool_use', id: 't' }],
  [
    'a block of the user',
    user({ type: 'container_upload', file_id: 'f' }),
    { type: 'container_upload', file_id: 'f' },
  ],
  ['a result of no call', user({ type: 'tool_result', content: '' }), { type: 'tool_result', content: '' }],
  ['an event below a sub-agent', stream(unknownEvent, 'toolu_1'), unknownEvent],
])('tells of %s that it does not know', (_what, message, raw) => {
  expect(translated(message)).toEqual([{ type: 'unrecognized', raw }]);
});

it('tells of an unknown part of a result, beside the result', () => {
  const part = { type: 'hologram', data: 'AAAA' };
  const content = [{ type: 'text', text: 'Here.' }, part];
  const facts = translated(
    assistant('msg_1', { type: 'tool_use', id: 't', name: 'Bash', input: {} }),
    user({ type: 'tool_result', tool_use_id: 't', content }),
  );
  expect(facts).toMatchObject([
    { type: 'tool_start' },
    { type: 'tool_end', success: true },
    { type: 'unrecognized', raw: part },
  ]);
});

it('tells of a kind once per message, whether it was streamed or came whole', () => {
  const facts = translated(
    begin('msg_1'),
    started(unknownBlock),
    ...Array.from({ length: 1000 }, (_, index) => delta({ ...unknownDelta, frame: String(index) })),
    assistant('msg_1', unknownBlock),
    begin('msg_2'),
    delta(unknownDelta),
  );
  expect(facts).toMatchObject([
    { type: 'unrecognized', raw: { content_block: unknownBlock } },
    { type: 'unrecognized', raw: { delta: { frame: '0' } } },
    { type: 'unrecognized', raw: { delta: unknownDelta } },
  ]);
});

it('keeps only the beginning of something huge', () => {
  const [fact] = translated({ type: 'novelty', data: 'x'.repeat(1_000_000) });
  expect(fact).toEqual({ type: 'unrecognized', raw: `{"type":"novelty","data":"${'x'.repeat(16_384 - 26)}` });
});
