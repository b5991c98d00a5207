import { expect, it } from 'vitest';
import { palette, wantsColour } from '../../../src/cli/terminal/colours.js';

it.each([
  ['a terminal', { isTty: true }, true],
  ['a pipe', { isTty: false }, false],
  ['a dumb terminal', { isTty: true, env: { TERM: 'dumb' } }, false],
  ['NO_COLOR', { isTty: true, env: { NO_COLOR: '1' } }, false],
  ['an empty NO_COLOR', { isTty: true, env: { NO_COLOR: '' } }, true],
  ['FORCE_COLOR into a pipe', { isTty: false, env: { FORCE_COLOR: '1' } }, true],
  ['FORCE_COLOR=0', { isTty: true, env: { FORCE_COLOR: '0' } }, false],
  ['FORCE_COLOR and NO_COLOR', { isTty: false, env: { FORCE_COLOR: '1', NO_COLOR: '1' } }, true],
  ['--no-color', { isTty: true, env: { FORCE_COLOR: '1' }, args: ['ls', '--no-color'] }, false],
])('with %s', (_what, wishes, wanted) => {
  expect(wantsColour({ env: {}, args: [], ...wishes })).toBe(wanted);
});

it('paints orange where there is colour', () => {
  expect(palette({ isColoured: true }).orange('idle')).toBe('\u001B[38;5;208midle\u001B[39m');
  expect(palette({ isColoured: false }).orange('idle')).toBe('idle');
});
