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
      ['g f', 'fleet'],
      ['n', 'new work'],
      ['/', 'search'],
      ['?', 'this help'],
      ['Esc', 'leave a field or a dialog'],
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
      ['1 – 9', 'choose; with one choice it is sent at once'],
      ['Enter', 'send what is chosen'],
      ['y', 'approve'],
      ['a', 'approve, and the same in this thread from now on'],
      ['e', 'approve with another input'],
      ['d', 'deny'],
      ['m', 'deny, and say what to do instead'],
      ['t', 'answer equal prompts together, or not'],
      ['o', 'open the thread'],
    ],
  },
  {
    where: 'Thread',
    keys: [
      ['l', 'jump to what happens now'],
      ['r', 'write to the agent'],
      ['v', 'timeline, changes or raw events'],
      ['i', 'interrupt the turn'],
    ],
  },
];
