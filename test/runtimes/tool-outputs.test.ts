// What a tool said at length comes with its end, whichever runtime tells it.
import { expect, it } from 'vitest';
import { ClaudeTranslator } from '../../src/runtimes/claude/translate.js';
import { CodexTranslator } from '../../src/runtimes/codex/translate.js';
import { readNotification, WireOpened } from '../../src/runtimes/codex/wire.js';

const long = 'line\n'.repeat(1000);
const handed = { summary: `${long.slice(0, 500)}…`, outputLength: 5000, output: long };
const common = { now: () => 0, expectsStructuredOutput: false };

function claude(content: unknown) {
  const translator = new ClaudeTranslator({ ...common, limits: {}, permissionMode: 'bypassPermissions' });
  const call = { type: 'tool_use', id: 't', name: 'Bash', input: {} };
  translator.message({ type: 'assistant', message: { id: 'm', content: [call] } });
  const result = { type: 'tool_result', tool_use_id: 't', content };
  return translator.message({ type: 'user', message: { content: [result] } });
}

function codex(item: object) {
  const translator = new CodexTranslator({ ...common, cwd: '/work', permissionMode: 'default' });
  translator.opened(WireOpened.parse({ thread: { id: 'main' }, cwd: '/work', model: 'm' }));
  translator.begin('u');
  const params = { threadId: 'main', turnId: 'turn', item: { id: 't', status: 'completed', ...item } };
  return translator.notification(readNotification('item/completed', params)).slice(1);
}

const command = { type: 'commandExecution', command: 'x', cwd: '/work', exitCode: 0 };
const mcp = { type: 'mcpToolCall', server: 's', tool: 'x', arguments: {} };

it.each([
  ['Claude, a text', claude(long), 'Bash', handed],
  ['Claude, parts', claude([{ type: 'text', text: long }]), 'Bash', handed],
  ['Claude, in short', claude('ok'), 'Bash', { summary: 'ok' }],
  ['Codex, a command', codex({ ...command, aggregatedOutput: long }), 'Bash', handed],
  ['Codex, in short', codex({ ...command, aggregatedOutput: 'ok' }), 'Bash', { summary: 'ok' }],
  [
    'Codex, a server',
    codex({ ...mcp, result: { content: [{ type: 'text', text: long }] } }),
    'mcp__s__x',
    handed,
  ],
])('%s', (_what, facts, tool, said) => {
  expect(facts).toEqual([{ type: 'tool_end', id: 't', tool, success: true, duration: 0, ...said }]);
});
