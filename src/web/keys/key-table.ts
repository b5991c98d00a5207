/** Every key of the console, as the help shows them. */
export const keyTable: readonly {
  readonly where: string;
  readonly keys: readonly (readonly [string, string])[];
}[] = [
  {
    where: 'Everywhere',
    keys: [
      ['g h', 'home'],
      ['g i', 'inbox'],
      ['g s', 'schedules'],
      ['g f', 'fleet'],
      ['n', 'new work'],
      ['z', 'undo the answer that was just given'],
      ['/', 'search'],
      ['?', 'this help'],
      ['Esc', 'leave a field, close a dialog'],
    ],
  },
  {
    where: 'Lists',
    keys: [
      ['j', 'down'],
      ['k', 'up'],
      ['Enter', 'open'],
    ],
  },
  {
    where: 'Inbox',
    keys: [
      ['1 – 9', 'choose an option; a single choice is sent at once'],
      ['Enter', 'send the answer'],
      ['y', 'approve'],
      ['a', 'always exactly this, in this thread'],
      ['e', 'change it first'],
      ['d', 'deny'],
      ['m', 'deny and say why'],
      ['Space', 'show what has not been on the screen yet'],
      ['t', 'answer all that are the same, or only this one'],
      ['o', 'open the thread'],
    ],
  },
  {
    where: 'Thread',
    keys: [
      ['l', 'jump to now'],
      ['r', 'write to the agent'],
      ['v', 'switch between timeline, review and events'],
      ['i', 'interrupt the agent'],
    ],
  },
  {
    where: 'Review',
    keys: [
      ['j', 'next file'],
      ['k', 'previous file'],
      ['↑ ↓', 'from line to line, once a line has the focus'],
      ['c', 'comment on the line; first, go to the lines'],
      ['v', 'tick the file off as viewed'],
      ['⇧S', 'send the comments to the agent'],
      ['⇧M', 'merge'],
      ['l', 'back to the timeline'],
    ],
  },
];
