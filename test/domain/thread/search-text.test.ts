import { expect, it } from 'vitest';
import { searchTextOf, threadSearchText } from '../../../src/domain/thread/search-text.js';

it.each([
  ['user_message', { text: ' Fix it ' }, 'Fix it'],
  ['assistant_text', { content: 'Done.' }, 'Done.'],
  ['tool_start', { tool: 'Bash', params: { command: 'ls', timeout: 3, nested: { a: 'b' } } }, 'Bash\nls'],
  ['prompt_asked', { item: { content: [{ text: 'Which?' }, { text: 'A or B' }] } }, 'Which?\nA or B'],
  ['dispatch_ended', { outcome: { result: 'failed', reason: 'no disk' } }, 'no disk'],
  ['notice', { message: 'Parked.' }, 'Parked.'],
  ['thinking', { content: 'Hm.' }, ''],
  ['tool_end', { summary: 'a file' }, ''],
  ['user_message', { text: 7 }, ''],
  ['prompt_asked', { item: null }, ''],
  ['constructor', { text: 'x' }, ''],
])('of %s %j this is found: %j', (type, fields, text) => {
  expect(searchTextOf(type, JSON.stringify({ type, ...fields }))).toBe(text);
});

it('a line that is no JSON, a huge event and a long text cost nothing', () => {
  expect(searchTextOf('notice', '{')).toBe('');
  expect(searchTextOf('notice', JSON.stringify({ message: 'x'.repeat(2 ** 21) }))).toBe('');
  expect(searchTextOf('notice', JSON.stringify({ message: 'x'.repeat(30_000) })).length).toBe(20_000);
});

it('a thread is found by its title and its name', () => {
  expect(threadSearchText({ title: 'Repair', name: 'fix' })).toBe('Repair\nfix');
  expect(threadSearchText({ title: 'Repair' })).toBe('Repair');
});
