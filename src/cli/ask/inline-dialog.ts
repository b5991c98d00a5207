import { Block } from '../terminal/block.js';
import { coloursOf } from '../terminal/colours.js';
import type { Key } from '../terminal/key.js';
import { KeyInput } from '../terminal/key-input.js';
import type { KeyRepeats } from '../terminal/key-repeats.js';
import type { LiveScreen } from '../terminal/live-screen.js';
import type { Space } from './question-view.js';

/** Something at the end of the screen that a person steers with keys. */
export interface Dialog<Result> {
  lines(space: Space): string[];
  /** What the key came to; undefined as long as it is not over. */
  press(key: Key): Result | undefined;
  /** Whether keys are letters of a text now; else each of them may decide something. */
  isTyping(): boolean;
}

export interface DialogPlace {
  readonly screen: LiveScreen;
  readonly signal: AbortSignal;
  readonly repeats: KeyRepeats;
}

/** Whoever presses a key this soon has not read what is asked, and meant something else with it. */
export const settlingMs = 600;

/**
 * Shows a dialog until it is over, or called off because it was settled elsewhere or the input has ended. Its hint comes
 * when keys begin to count; those that come before are dropped, and so are those of a key that is held.
 */
export function showDialog<Result>(
  dialog: Dialog<Result>,
  { screen, signal, repeats }: DialogPlace,
): Promise<Result | 'called_off'> {
  if (signal.aborted) return Promise.resolve('called_off');
  return new Promise((resolve) => {
    const { stderr } = process;
    const block = new Block(stderr);
    let isSettling = true;
    let isOver = false;
    const show = () => block.draw(dialog.lines({ ...space(), isSettling }));
    const release = screen.hold({ hide: () => block.clear(), show });
    const counts = (key: Key) => {
      const isRepeat = repeats.isRepeat(key, performance.now());
      return key.kind === 'interrupt' || (!isSettling && (dialog.isTyping() || !isRepeat));
    };
    const input = new KeyInput((key) => {
      if (key === 'end') return settle('called_off');
      if (!counts(key)) return;
      const result = dialog.press(key);
      if (result === undefined) show();
      else settle(result);
    });
    // What was typed ahead is read before immediates run, however late this process gets to it.
    const settling = setTimeout(
      () =>
        setImmediate(() => {
          isSettling = false;
          if (!isOver) show();
        }),
      settlingMs,
    );
    const settle = (result: Result | 'called_off') => {
      isOver = true;
      clearTimeout(settling);
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

/** How much of the screen there is; a terminal that does not know its size says 0. */
export function screenSize(): Pick<Space, 'columns' | 'rows'> {
  const { stderr } = process;
  return { columns: stderr.columns || 80, rows: stderr.rows || 24 };
}

function space(): Space {
  return { ...screenSize(), colours: coloursOf(process.stderr) };
}
