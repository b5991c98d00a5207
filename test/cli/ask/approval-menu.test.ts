import { expect, it } from 'vitest';
import {
  allAbilities,
  type MenuStep,
  menuLines,
  menuStep,
  openMenu,
} from '../../../src/cli/ask/approval-menu.js';
import { palette } from '../../../src/cli/terminal/colours.js';
import { isKey, KeyDecoder } from '../../../src/cli/terminal/key.js';

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

it.each(['1', '2', '9', '\r', 'x', '\u001B[200~y\u001B[201~', 'm\r'])('%j decides nothing', (keys) => {
  expect(after(keys).kind).toBe('menu');
});

it('offers what the runtime can do, and for a plan what makes sense', () => {
  const hint = 'press a letter, or ↑↓ and Enter · Esc decides later';
  const none = { editedInput: false, denyWithMessage: false };
  expect(menuLines(openMenu({ action }, none), space)).toEqual([
    '  [y] approve',
    '  [a] always in this thread',
    '  [d] deny',
    hint,
  ]);
  expect(
    menuLines(
      openMenu({ action: { ...action, tool: 'plan', input: { plan: 'Look.' } } }, allAbilities),
      space,
    ),
  ).toEqual(['  [y] approve', '  [d] deny', '  [m] deny and say why', hint]);
});

const unread = '188 of the 212 lines are above the screen: scroll up to read them.';

it.each(['y', 'a', 'e', `${down}\r`])('%j says yes to nothing while a part was not on the screen', (keys) => {
  const state = after(keys, unread);
  expect(state.kind).toBe('menu');
  if (state.kind === 'menu')
    expect(menuLines(state.menu, { ...space, columns: 200 })[0]).toBe(
      `! Not approved. Read it, or press u. ${unread}`,
    );
});

it.each([
  ['u', { approved: true }],
  ['yu', { approved: true }],
  ['n', { approved: false }],
])('%j decides while a part was not on the screen', (keys, decision) => {
  expect(after(keys, unread)).toEqual({ kind: 'decision', decision });
});

it('says what was not on the screen, and offers to do without', () => {
  expect(menuLines(openMenu({ action }, allAbilities, unread), space).slice(0, 3)).toEqual([
    `! ${unread}`,
    '  [y] approve',
    '  [u] approve without reading the rest',
  ]);
});

it('an empty plan can only be denied', () => {
  const plan = { tool: 'plan', input: { plan: ' ' }, digest: 'd' };
  const menu = openMenu({ action: plan }, allAbilities, unread);
  expect(menu.entries.map(({ choice }) => choice)).toEqual(['deny', 'deny_message']);
});

function after(keys: string, notSeen = ''): MenuStep {
  let state: MenuStep = { kind: 'menu', menu: openMenu({ action }, allAbilities, notSeen) };
  const decoder = new KeyDecoder();
  for (const key of [...decoder.push(keys).filter(isKey), ...decoder.waited()])
    if (state.kind === 'menu') state = menuStep(state.menu, key);
  return state;
}

it('the rule that "always" makes is shown whole before it is taken', () => {
  const moved = ['down', 'down'].reduce<MenuStep>(
    (state) => (state.kind === 'menu' ? menuStep(state.menu, { kind: 'down' }) : state),
    { kind: 'menu', menu: openMenu({ action }, allAbilities) },
  );
  if (moved.kind !== 'menu') throw new Error('It is still a menu.');
  const rule = menuLines(moved.menu, { ...space, columns: 40 }).slice(moved.menu.entries.length, -1);
  expect(rule.every((line) => line.length < 40)).toBe(true);
  expect(rule.join(' ')).toBe(moved.menu.always);
  expect(moved.menu.always).toMatch(/^Always makes this rule: in this thread the agent may run: /);
});
