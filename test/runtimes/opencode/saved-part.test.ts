import { expect, it } from 'vitest';
import { SaidFacts } from '../../../src/domain/run/terminal-session.js';
import { takeSavedPart } from '../../../src/runtimes/opencode/saved-part.js';

const row = (role: string, part: unknown) => ({ message: 'm', role, part: JSON.stringify(part) });
const called = (state: object) => ({ type: 'tool', callID: 'c', tool: 'bash', state });
const tool = { type: 'terminal_tool', id: 'c', tool: 'bash', params: { command: 'ls' } };
const input = { command: 'ls' };

it.each([
  [
    'what a person typed',
    row('user', { type: 'text', text: 'Hi' }),
    [{ type: 'terminal_message', uuid: 'm', text: 'Hi' }],
  ],
  ['what OpenCode adds', row('user', { type: 'text', text: 'The file says', synthetic: true }), []],
  [
    'the reply',
    row('assistant', { type: 'text', text: 'Hello' }),
    [{ type: 'terminal_text', content: 'Hello' }],
  ],
  ['nothing', row('assistant', { type: 'text', text: ' ' }), []],
  [
    'a call with its result',
    row('assistant', called({ status: 'completed', input, output: 'file' })),
    [{ ...tool, success: true, summary: 'file' }],
  ],
  [
    'a call that failed',
    row('assistant', called({ status: 'error', input, error: 'no' })),
    [{ ...tool, success: false, summary: 'no' }],
  ],
  [
    'a call that was cut off',
    row('assistant', called({ status: 'running', input })),
    [{ ...tool, summary: 'The session holds no result.' }],
  ],
  ['another kind', row('assistant', { type: 'step-start' }), []],
  ['another role', row('system', { type: 'text', text: 'Hi' }), []],
  ['a hostile part', row('assistant', { type: 'tool', callID: {}, state: [] }), []],
  ['half a part', { message: 'm', role: 'user', part: '{"type":"te' }, []],
  ['no row', null, []],
])('%s', (_name, saved, facts) => {
  const said = new SaidFacts();
  takeSavedPart(saved, said);
  expect(said.said.facts).toEqual(facts);
});
