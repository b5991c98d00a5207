import { expect, it } from 'vitest';
import { SaidFacts } from '../../../src/domain/run/terminal-session.js';
import { takeEntry } from '../../../src/runtimes/claude/session-entry.js';

function said(...lines: unknown[]) {
  const facts = new SaidFacts();
  for (const line of lines) takeEntry(line, facts);
  return facts.said;
}

const user = (content: unknown, more = {}) => ({ type: 'user', uuid: 'u', message: { content }, ...more });
const agent = (content: unknown, more = {}) => ({ ...user(content, more), type: 'assistant' });
const message = (text: string) => ({ type: 'terminal_message', uuid: 'u', text });

it.each([
  ['what a person typed', user('Hello'), [message('Hello')]],
  ['in blocks', user([{ type: 'text', text: 'Hello' }, { type: 'image' }]), [message('Hello')]],
  ['what the agent said', agent([{ type: 'text', text: 'Hi' }]), [{ type: 'terminal_text', content: 'Hi' }]],
  ['a command of the terminal', user('<command-name>/exit</command-name>'), []],
  ['what it replied', user('<local-command-stdout>bye</local-command-stdout>'), []],
  ['a note of the program', user('Caveat', { isMeta: true }), []],
  ['a sub-agent', user('Do it', { isSidechain: true }), []],
  ['a summary', user('So far', { isCompactSummary: true }), []],
  ['a copy from another session', user('Hello', { forkedFrom: {} }), []],
  ['an empty message', user(' \n'), []],
  ['another kind of line', { type: 'mode', mode: 'plan' }, []],
  ['half a line', null, []],
  ['a hostile line', { type: 'user', uuid: {}, message: [] }, []],
])('%s', (_name, line, facts) => {
  expect(said(line)).toEqual({ facts, isCut: false });
});

const call = (id: string) => agent([{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }]);
const result = (id: string, more = {}) => user([{ type: 'tool_result', tool_use_id: id, ...more }]);
const tool = (id: string) => ({ type: 'terminal_tool', id, tool: 'Bash', params: { command: 'ls' } });

it('a call has its result, or says that there is none', () => {
  expect(
    said(
      call('a'),
      call('b'),
      call('c'),
      result('a', { content: 'file' }),
      result('b', { content: [{ type: 'text', text: 'no' }], is_error: true }),
      result('of another session', { content: 'x' }),
    ).facts,
  ).toEqual([
    { ...tool('a'), success: true, summary: 'file' },
    { ...tool('b'), success: false, summary: 'no' },
    { ...tool('c'), summary: 'The session holds no result.' },
  ]);
});

it('a huge session is cut and says so', () => {
  const many = Array.from({ length: 3000 }, () => user('x'));
  expect(said(...many)).toMatchObject({ facts: { length: 2000 }, isCut: true });
  const long = said(
    user('x'.repeat(200_000)),
    agent([{ type: 'tool_use', id: 'a', name: 'W', input: { a: 'x'.repeat(200_000) } }]),
  );
  expect(JSON.stringify(long).length).toBeLessThan(110_000);
  expect(said(...Array.from({ length: 60 }, () => user('x'.repeat(100_000))))).toMatchObject({
    facts: { length: 41 },
    isCut: true,
  });
});
