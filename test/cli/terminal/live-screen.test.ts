import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { palette } from '../../../src/cli/terminal/colours.js';
import { LiveScreen } from '../../../src/cli/terminal/live-screen.js';

const clearLine = '\r\u001B[2K';

/** A screen, and everything that was written to its terminal. */
function openScreen() {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const stream = terminal as unknown as NodeJS.WriteStream;
  const screen = new LiveScreen({
    data: stream,
    messages: stream,
    colours: palette({ isColoured: false }),
    now: () => 0,
  });
  return { screen, written: () => String(terminal.read() ?? '') };
}

/** What a person sees in the end: what a cleared line held is gone. */
function seen(written: string): string {
  return written
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf(clearLine) + 1).replace('\u001B[2K', ''))
    .join('\n');
}

it('shows words whole that began while the person was still typing', () => {
  const { screen, written } = openScreen();
  screen.work('thinking');
  screen.pause();
  screen.say('As you ');
  screen.resume();
  screen.say('wish.');
  screen[Symbol.dispose]();

  expect(seen(written())).toContain('As you wish.\n');
});

it('writes nothing of the agent into the line in which a person types', () => {
  const { screen, written } = openScreen();
  screen.pause();
  written();
  screen.say('As you ');
  expect(written()).toBe('');

  screen.tell('! The worker is gone.');
  expect(written()).toBe('As you \n! The worker is gone.\n');
  screen[Symbol.dispose]();
});

it('keeps the order of words that came above held lines, behind them, and after the pause', () => {
  const { screen, written } = openScreen();
  screen.pause();
  const release = screen.hold({ hide: () => {}, show: () => {} });
  screen.say('one\ntw');
  release();
  screen.say('o\nth');
  screen.resume();
  screen.say('ree');
  screen[Symbol.dispose]();

  expect(seen(written())).toBe('one\ntwo\nthree\n');
});

it('loses nothing when it is closed while the person is asked', () => {
  const { screen, written } = openScreen();
  screen.pause();
  screen.say('last words');
  screen[Symbol.dispose]();

  expect(written()).toBe('last words\n');
});
