import { expect, it } from 'vitest';
import { SaidFacts } from '../../../src/domain/run/terminal-session.js';
import { takeRolloutEntry } from '../../../src/runtimes/codex/rollout-entry.js';

function said(...payloads: unknown[]) {
  const facts = new SaidFacts();
  for (const payload of payloads) takeRolloutEntry({ type: 'response_item', payload }, facts);
  return facts.said.facts;
}

const message = (role: string, text: string, kinds?: string[]) => ({
  type: 'message',
  id: 'm',
  role,
  content: [{ type: 'input_text', text }],
  internal_chat_message_metadata_passthrough: { turn_id: 't', content_item_kinds: kinds },
});

it.each([
  [
    'what a person typed',
    message('user', 'Hi', ['user.text']),
    [{ type: 'terminal_message', uuid: 'm', text: 'Hi' }],
  ],
  ['what Codex adds', message('user', '<environment_context>', ['environment']), []],
  ['what an older Codex adds', message('user', '<environment_context>'), []],
  ['what a developer says', message('developer', 'Ask.', ['user.text']), []],
  ['the reply', message('assistant', 'Hello'), [{ type: 'terminal_text', content: 'Hello' }]],
  ['nothing', message('assistant', ' '), []],
  ['a hostile line', { type: 'message', role: {}, content: 'x' }, []],
  ['another kind', { type: 'reasoning', summary: [] }, []],
])('%s', (_name, payload, facts) => {
  expect(said(payload)).toEqual(facts);
});

const call = (id: string, given: unknown) => ({
  type: 'function_call',
  name: 'exec_command',
  call_id: id,
  arguments: given,
});
const tool = (id: string, params: object) => ({ type: 'terminal_tool', id, tool: 'exec_command', params });

it('a call has its input, as far as it can be read, and its result', () => {
  expect(
    said(
      call('a', '{"cmd":"ls"}'),
      call('b', '{"cmd'),
      { type: 'custom_tool_call', name: 'exec_command', call_id: 'c', input: '*** Begin' },
      { type: 'function_call_output', call_id: 'a', output: 'file' },
      { type: 'function_call_output', call_id: 'b', output: { success: false } },
      { type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'text', text: 'done' }] },
    ),
  ).toEqual([
    { ...tool('a', { cmd: 'ls' }), success: true, summary: 'file' },
    { ...tool('b', { input: '{"cmd' }), success: false, summary: '' },
    { ...tool('c', { input: '*** Begin' }), success: true, summary: 'done' },
  ]);
});
