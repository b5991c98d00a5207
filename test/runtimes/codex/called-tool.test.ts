import { expect, it } from 'vitest';
import { calledTool } from '../../../src/runtimes/codex/elicitation.js';

const read = { id: '1', tool: 'mcp__shop__read', input: { id: 7 } };
const drop = { id: '2', tool: 'mcp__shop__drop', input: { id: 8 } };

it.each([
  ['the only call', [read], { id: 7, more: true }, read],
  ['of two at once, the one with this input, though the other one is newer', [read, drop], { id: 7 }, read],
  ['of two at once, the newer one', [read, drop], { id: 8 }, drop],
  ['of equal calls, any', [read, { ...read, id: '3' }, drop], { id: 7 }, read],
  [
    'two tools with the same input: nobody knows',
    [read, { ...drop, input: { id: 7 } }],
    { id: 7 },
    undefined,
  ],
  ['none with this input', [read, drop], { id: 9 }, undefined],
  ['no call', [], {}, undefined],
])('the call that an approval of Codex is about (CWE-451): %s', (_what, open, input, call) => {
  expect(calledTool(open, input)).toEqual(call);
});
