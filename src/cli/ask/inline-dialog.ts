import { Block } from '../terminal/block.js';
import { coloursOf } from '../terminal/colours.js';
import type { Key } from '../terminal/key.js';
import { KeyInput } from '../terminal/key-input.js';
import type { LiveScreen } from '../terminal/live-screen.js';
import type { Space } from './question-view.js';

/** Something at the end of the screen that a person steers with keys. */
export interface Dialog<Result> {
  lines(space: Space): string[];
  /** What the key came to; undefined as long as it is not over. */
  press(key: Key): Result | undefined;
}

export interface DialogPlace {
  readonly screen: LiveScreen;
  readonly signal: AbortSignal;
}

/** Shows a dialog until it is over, or called off because it was settled elsewhere or the input has ended. */
export function showDialog<Result>(
  dialog: Dialog<Result>,
  { screen, signal }: DialogPlace,
): Promise<Result | 'called_off'> {
  if (signal.aborted) return Promise.resolve('called_off');
  return new Promise((resolve) => {
    const { stderr } = process;
    const block = new Block(stderr);
    const show = () => block.draw(dialog.lines(space()));
    const release = screen.hold({ hide: () => block.clear(), show });
    const input = new KeyInput((key) => {
      const result = key === 'end' ? 'called_off' : dialog.press(key);
      if (result === undefined) show();
      else settle(result);
    });
    const settle = (result: Result | 'called_off') => {
      input.close();
      stderr.off('resize', show);
      signal.removeEventListener('abort', callOff);
      block.clear();
      release();
      resolve(result);
    };
    const callOff = () => settle('called_off');
    stderr.on('resize', show);
    signal.addEventListener('abort', callOff, { once: true });
    show();
  });
}

function space(): Space {
  const { stderr } = process;
  // A terminal that does not know its size says 0.
  return { columns: stderr.columns || 80, rows: stderr.rows || 24, colours: coloursOf(stderr) };
}
