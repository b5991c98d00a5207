import { describe, expect, it } from 'vitest';
import { acpCall, editedPaths, isShownWhole, mergedCall } from '../../../src/runtimes/acp/tool-call.js';
import type { WireToolCall } from '../../../src/runtimes/acp/wire.js';

const call = (fields: Omit<WireToolCall, 'toolCallId'>): WireToolCall => ({ toolCallId: 'c', ...fields });
const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });
const diff = { type: 'diff', path: '/w/a.txt', oldText: 'a', newText: 'b' };

describe('a call in our words', () => {
  it.each<[string, WireToolCall, object]>([
    [
      'a command, with where it runs elsewhere',
      call({ kind: 'execute', title: 't', rawInput: { command: 'ls', cwd: '/other', timeout: 5 } }),
      { tool: 'Bash', input: { command: 'ls', cwd: '/other', timeout: 5 } },
    ],
    [
      'a command of gemini, whose title is the command',
      call({ kind: 'execute', title: 'ls', content: [text('[current working directory /w] (list)')] }),
      { tool: 'Bash', input: { command: 'ls', description: '(list)' } },
    ],
    [
      'a command of gemini in another folder',
      call({ kind: 'execute', title: 'ls', content: [text('[current working directory /w/x]')] }),
      { tool: 'Bash', input: { command: 'ls', note: '[current working directory /w/x]' } },
    ],
    [
      'an edit by its difference',
      call({ kind: 'edit', title: 'Edit', content: [diff], rawInput: { secret: 'same' } }),
      {
        tool: 'Edit',
        input: { file_path: '/w/a.txt', changes: [{ path: '/w/a.txt', oldText: 'a', newText: 'b' }] },
      },
    ],
    [
      'a new file',
      call({ kind: 'edit', content: [{ ...diff, oldText: null }] }),
      { tool: 'Edit', input: { file_path: '/w/a.txt', changes: [{ path: '/w/a.txt', content: 'b' }] } },
    ],
    [
      'an edit without a difference by its input',
      call({ kind: 'edit', locations: [{ path: '/w/a' }], rawInput: { filePath: '/w/a', newString: 'x' } }),
      { tool: 'Edit', input: { file_path: '/w/a', input: { filePath: '/w/a', newString: 'x' } } },
    ],
    [
      'a server’s tool',
      call({ kind: 'other', title: 'deploy', rawInput: { to: 'eu' } }),
      { tool: 'deploy', input: { to: 'eu' } },
    ],
    ['nothing but an id', call({}), { tool: 'tool', input: { title: '' } }],
  ])('%s', (_name, told, expected) => {
    expect(acpCall(told, '/w')).toEqual(expected);
  });

  it('is what was told last, and keeps what an update left out', () => {
    const first = call({ kind: 'execute', title: 'bash', status: 'pending', rawInput: { command: 'ls' } });
    const merged = mergedCall(first, call({ title: null, status: 'completed', rawInput: {}, content: [] }));
    expect(merged).toEqual({ ...first, status: 'completed' });
  });
});

it.each<[boolean, WireToolCall]>([
  [true, call({ kind: 'execute', title: 'touch a' })],
  [true, call({ kind: 'other', title: 'Deploy...', rawInput: { to: 'eu' } })],
  [true, call({ kind: 'edit', title: 'Edit …', content: [diff] })],
  [
    false,
    call({
      kind: 'other',
      title: 'deploy',
      content: [text('[Payload omitted due to length with parameters: to]')],
    }),
  ],
  [false, call({ kind: 'fetch', title: 'Processing URLs and instructions from prompt: "Read all of..."' })],
  [false, call({ kind: 'execute', title: 'rm -rf…' })],
])('knows what is not shown whole: %s %j', (isWhole, told) => {
  expect(isShownWhole(told)).toBe(isWhole);
});

it('names every file that an edit says it touches', () => {
  const told = call({
    kind: 'edit',
    content: [diff],
    locations: [{ path: '/w/b' }],
    rawInput: { filePath: '/etc/x' },
  });
  expect(editedPaths(told)).toEqual(['/w/a.txt', '/w/b', '/etc/x']);
});
