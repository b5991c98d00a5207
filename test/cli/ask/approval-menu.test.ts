import { expect, it } from 'vitest';
import {
  allAbilities,
  type MenuStep,
  menuLines,
  menuStep,
  openMenu,
} from '../../../src/cli/ask/approval-menu.js';
import { palette } from '../../../src/cli/terminal/colours.js';
import { KeyDecoder } from '../../../src/cli/terminal/key.js';

const action = { tool: 'Bash', input: { command: 'ls' }, digest: 'd' };
const space = { columns: 80, rows: 24, colours: palette({ isColoured: false }) };
const down = '\u001B[B';

it.each([
  ['y', { kind: 'decision', decision: { approved: true } }],
  ['a', { kind: 'decision', decision: { approved: true, scope: 'thread' } }],
  ['N', { kind: 'decision', decision: { approved: false } }],
  ['d', { kind: 'decision', decision: { approved: false } }],
  ['mnot now\r', { kind: 'decision', decision: { approved: false, message: 'not now' } }],
  ['e', { kind: 'edit' }],
  [`${down}\r`, { kind: 'decision', decision: { approved: true } }],
  [`${down}${down}${down}${down}\r`, { kind: 'decision', decision: { approved: false } }],
  ['\u0003', { kind: 'leave' }],
  ['\u001B', { kind: 'leave' }],
])('%j comes to %j', (keys, result) => {
  expect(after(keys)).toEqual(result);
});

it.each(['\r', 'x', '\u001B[200~y\u001B[201~', 'm\r'])('%j decides nothing', (keys) => {
  expect(after(keys).kind).toBe('menu');
});

it('offers what the runtime can do, and for a plan what makes sense', () => {
  const hint = 'a letter, or ↑↓ and Enter · Esc leaves it open';
  const none = { editedInput: false, denyWithMessage: false };
  expect(menuLines(openMenu({ action }, none), space)).toEqual([
    '  [y] approve',
    '  [a] approve, and the same in this thread from now on',
    '  [n] deny',
    hint,
  ]);
  expect(menuLines(openMenu({ action: { ...action, tool: 'plan' } }, allAbilities), space)).toEqual([
    '  [y] approve',
    '  [n] deny',
    '  [m] deny, and say what to do instead',
    hint,
  ]);
});

function after(keys: string): MenuStep {
  let state: MenuStep = { kind: 'menu', menu: openMenu({ action }, allAbilities) };
  for (const key of new KeyDecoder().push(keys)) if (state.kind === 'menu') state = menuStep(state.menu, key);
  return state;
}
