interface KeyGroup {
  readonly where: string;
  readonly keys: readonly KeyRow[];
}

interface KeyRow {
  /** What is pressed, as `useKeys` names it; none where a field or a dialog listens by itself. */
  readonly bound: readonly string[];
  readonly shown: string;
  readonly words: string;
}

/**
 * Every key of the console. The help is made of it, and a part can listen only to keys that stand here: another one does not
 * compile (`KeyName`), and a key that nobody listens to fails a test.
 */
export const keyTable = [
  {
    where: 'Everywhere',
    keys: [
      { bound: [], shown: '⌘K', words: 'search or run a command (Ctrl K elsewhere)' },
      { bound: ['g h'], shown: 'g h', words: 'home' },
      { bound: ['g i'], shown: 'g i', words: 'inbox' },
      { bound: ['g s'], shown: 'g s', words: 'schedules' },
      { bound: ['g p'], shown: 'g p', words: 'pipelines' },
      { bound: ['g f'], shown: 'g f', words: 'fleet' },
      { bound: ['n'], shown: 'n', words: 'new work' },
      { bound: ['z'], shown: 'z', words: 'undo the answer that was just given' },
      { bound: ['/'], shown: '/', words: 'search' },
      { bound: ['?'], shown: '?', words: 'this help' },
      { bound: [], shown: 'Esc', words: 'leave a field, close a dialog' },
    ],
  },
  {
    where: 'Lists',
    keys: [
      { bound: ['j'], shown: 'j', words: 'down' },
      { bound: ['k'], shown: 'k', words: 'up' },
      { bound: ['Enter'], shown: 'Enter', words: 'open' },
      {
        bound: [' '],
        shown: 'Space',
        words: 'answer in the list, with the keys of the inbox; again closes it',
      },
      { bound: ['x'], shown: 'x', words: 'select' },
      { bound: ['X'], shown: '⇧X', words: 'select everything that is listed' },
      { bound: ['s'], shown: 's', words: 'snooze what is selected until tomorrow' },
      { bound: ['#'], shown: '#', words: 'archive what is selected' },
    ],
  },
  {
    where: 'Inbox',
    keys: [
      {
        bound: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
        shown: '1 – 9',
        words: 'choose an option; a single choice is sent at once',
      },
      { bound: ['Enter'], shown: 'Enter', words: 'send the answer' },
      { bound: ['y'], shown: 'y', words: 'approve' },
      { bound: ['a'], shown: 'a', words: 'always in this thread' },
      { bound: ['e'], shown: 'e', words: 'change it first' },
      { bound: ['d'], shown: 'd', words: 'deny' },
      { bound: ['m'], shown: 'm', words: 'deny and say why' },
      { bound: ['='], shown: '=', words: 'answer the same as before' },
      { bound: [' '], shown: 'Space', words: 'show what has not been on the screen yet' },
      { bound: ['t'], shown: 't', words: 'answer all that are the same, or only this one' },
      { bound: ['o'], shown: 'o', words: 'open the thread; in a list, what is being answered' },
    ],
  },
  {
    where: 'Thread',
    keys: [
      { bound: ['l'], shown: 'l', words: 'jump to now' },
      { bound: ['r'], shown: 'r', words: 'write to the agent' },
      { bound: ['v'], shown: 'v', words: 'switch between timeline, review and events' },
      { bound: ['i'], shown: 'i', words: 'interrupt the agent' },
    ],
  },
  {
    where: 'Review',
    keys: [
      { bound: ['j'], shown: 'j', words: 'next file' },
      { bound: ['k'], shown: 'k', words: 'previous file' },
      { bound: [], shown: '↑ ↓', words: 'from line to line, once a line has the focus' },
      { bound: ['c'], shown: 'c', words: 'comment on the line; first, go to the lines' },
      { bound: ['v'], shown: 'v', words: 'tick the file off as viewed' },
      { bound: ['S'], shown: '⇧S', words: 'send the comments to the agent' },
      { bound: ['M'], shown: '⇧M', words: 'merge' },
      { bound: ['l'], shown: 'l', words: 'back to the timeline' },
    ],
  },
] as const satisfies readonly KeyGroup[];

/** A key that a part may listen to. */
export type KeyName = (typeof keyTable)[number]['keys'][number]['bound'][number];
