import type { Key } from '../terminal/key.js';

/** Where keys count. */
export type Where = 'everywhere' | 'home' | 'inbox' | 'thread' | 'diff' | 'work' | 'help';

/** What a key does. */
export type Act =
  | 'up'
  | 'down'
  | 'page_up'
  | 'page_down'
  | 'first'
  | 'last'
  | 'left'
  | 'right'
  | 'open'
  | 'open_thread'
  | 'back'
  | 'home'
  | 'inbox'
  | 'new_work'
  | 'search'
  | 'help'
  | 'commands'
  | 'quit'
  | 'mouse'
  | 'undo'
  | 'next_prompt'
  | 'previous_prompt'
  | 'read_on'
  | 'read_back'
  | 'write'
  | 'interrupt'
  | 'changes'
  | 'attach'
  | 'retry'
  | 'archive'
  | 'snooze'
  | 'select'
  | 'select_all'
  | 'same'
  | 'merge'
  | 'apply'
  | 'pull_request'
  | 'discard'
  | 'fold_output'
  | 'todos'
  | 'next_file'
  | 'previous_file'
  | 'comment'
  | 'resolve'
  | 'viewed'
  | 'send_comments'
  | 'send'
  | 'older'
  | 'newer'
  | 'worktree'
  /** The form or the menu of the prompt takes it. */
  | 'answer';

export interface KeyRow {
  readonly where: Where;
  /** As `keyName` names them; two keys after each other as `g h`. */
  readonly keys: readonly string[];
  /** As the help shows them. */
  readonly shown: string;
  readonly words: string;
  readonly act: Act;
  /** What the last line of the screen says about it, if it does. */
  readonly hint?: string;
}

/** Every key of the console: what is pressed is looked up here, and the help and the hints are made of it. */
export const consoleKeys: readonly KeyRow[] = [
  row('everywhere', ['g h'], 'home', 'home'),
  row('everywhere', ['g i'], 'inbox', 'inbox'),
  row('everywhere', ['n'], 'new work', 'new_work'),
  row('everywhere', [':'], 'commands, and threads by name', 'commands', { hint: ': commands' }),
  row('everywhere', ['g m'], 'mouse on or off', 'mouse'),
  row('everywhere', ['z'], 'undo the answer that was just given', 'undo'),
  row('everywhere', ['?'], 'this help', 'help', { hint: '? help' }),
  row('everywhere', ['escape', 'backspace'], 'back', 'back', { shown: 'Esc' }),
  row('everywhere', ['q', 'interrupt'], 'quit; agents go on', 'quit', { shown: 'q, Ctrl-C' }),

  row('home', ['up', 'k'], 'up', 'up', { shown: '↑ k' }),
  row('home', ['down', 'j'], 'down', 'down', { shown: '↓ j', hint: '↑↓ choose' }),
  row('home', ['page_up'], 'a page up', 'page_up', { shown: 'PgUp' }),
  row('home', ['page_down', ' '], 'a page down', 'page_down', { shown: 'PgDn, Space' }),
  row('home', ['home'], 'first', 'first', { shown: 'Home' }),
  row('home', ['end', 'G'], 'last', 'last', { shown: 'End, G' }),
  row('home', ['enter'], 'open; what asks you opens as its question', 'open', {
    shown: 'Enter',
    hint: 'Enter open',
  }),
  row('home', ['o'], 'open the thread', 'open_thread'),
  row('home', ['tab'], 'next that needs you', 'next_prompt', { shown: 'Tab', hint: 'Tab next' }),
  row('home', ['/'], 'search', 'search', { hint: '/ search' }),
  row('home', ['f'], 'changed files', 'changes'),
  row('home', ['R'], 'retry failed work', 'retry'),
  row('home', ['x'], 'select', 'select'),
  row('home', ['X'], 'select all of the group, or none', 'select_all'),
  row('home', ['s'], 'snooze until tomorrow, or wake', 'snooze'),
  row('home', ['#'], 'archive', 'archive'),
  row('home', ['A'], "open in the agent's own program", 'attach'),

  row('inbox', ['tab'], 'next that needs you', 'next_prompt', { shown: 'Tab', hint: 'Tab next' }),
  row('inbox', ['back_tab'], 'the one before', 'previous_prompt', { shown: '⇧Tab' }),
  row('inbox', ['page_down', ' '], 'read on: what has not been on the screen', 'read_on', {
    shown: 'Space, PgDn',
    hint: 'Space read on',
  }),
  row('inbox', ['page_up', 'b'], 'read back', 'read_back', { shown: 'PgUp, b' }),
  row('inbox', ['o'], 'open the thread', 'open_thread', { hint: 'o thread' }),
  row('inbox', ['s'], 'snooze its thread until tomorrow, 8:00', 'snooze', { hint: 's snooze' }),
  row('inbox', ['='], 'answer the same as before', 'same'),
  row('inbox', ['1-9'], 'choose an option', 'answer'),
  row('inbox', ['y'], 'approve', 'answer'),
  row('inbox', ['u'], 'approve without reading the rest', 'answer'),
  row('inbox', ['a'], 'always in this thread', 'answer'),
  row('inbox', ['e'], 'change it first, in your editor', 'answer'),
  row('inbox', ['d', 'n'], 'deny', 'answer'),
  row('inbox', ['m'], 'deny and say why', 'answer'),

  row('thread', ['up', 'k'], 'up', 'up', { shown: '↑ k' }),
  row('thread', ['down', 'j'], 'down', 'down', { shown: '↓ j', hint: '↑↓ move' }),
  row('thread', ['page_up', 'b'], 'a page up', 'page_up', { shown: 'PgUp, b' }),
  row('thread', ['page_down', ' '], 'a page down', 'page_down', { shown: 'PgDn, Space' }),
  row('thread', ['home'], 'the beginning', 'first', { shown: 'Home' }),
  row('thread', ['end', 'l'], 'jump to now', 'last', { shown: 'End, l', hint: 'l now' }),
  row('thread', ['enter', 'tab'], 'answer what it asks', 'next_prompt', {
    shown: 'Enter, Tab',
    hint: 'Enter answer',
  }),
  row('thread', ['r'], 'write to the agent', 'write', { hint: 'r write' }),
  row('thread', ['f'], 'changed files', 'changes', { hint: 'f files' }),
  row('thread', ['e'], 'show or hide what tools said', 'fold_output', { hint: 'e output' }),
  row('thread', ['t'], 'show or hide its to-do list', 'todos'),
  row('thread', ['i'], 'interrupt the agent', 'interrupt', { hint: 'i interrupt' }),
  row('thread', ['A'], "open in the agent's own program", 'attach', { hint: 'A attach' }),

  row('diff', ['up', 'k'], 'up', 'up', { shown: '↑ k' }),
  row('diff', ['down', 'j'], 'down', 'down', { shown: '↓ j', hint: '↑↓ line' }),
  row('diff', ['page_up', 'b'], 'a page up', 'page_up', { shown: 'PgUp, b' }),
  row('diff', ['page_down', ' '], 'a page down', 'page_down', { shown: 'PgDn, Space', hint: 'Space page' }),
  row('diff', ['home'], 'first line', 'first', { shown: 'Home' }),
  row('diff', ['end', 'G'], 'last line', 'last', { shown: 'End, G' }),
  row('diff', ['J'], 'next file', 'next_file', { hint: 'J K file' }),
  row('diff', ['K'], 'previous file', 'previous_file'),
  row('diff', ['c'], 'comment on the line, or change your comment', 'comment', { hint: 'c comment' }),
  row('diff', ['r'], 'resolve the comment, or open it again', 'resolve'),
  row('diff', ['S'], 'send your comments to the agent', 'send_comments', { hint: 'S send' }),
  row('diff', ['v'], 'viewed, and on to the next file', 'viewed', { hint: 'v viewed' }),
  row('diff', ['left'], 'to the left', 'left', { shown: '←' }),
  row('diff', ['right'], 'to the right of long lines', 'right', { shown: '→' }),

  row('diff', ['M'], 'merge; asks first', 'merge', { hint: 'M merge' }),
  row('diff', ['P'], 'open a pull request; asks first', 'pull_request'),
  row('diff', ['A'], 'apply to my checkout; asks first', 'apply'),
  row('diff', ['X'], 'discard; asks first', 'discard'),

  row('work', ['enter'], 'give it to an agent', 'send', { shown: 'Enter', hint: 'Enter give' }),
  row('work', ['up'], 'earlier work', 'older', { shown: '↑', hint: '↑↓ earlier work' }),
  row('work', ['down'], 'later work', 'newer', { shown: '↓' }),
  row('work', ['tab'], 'in a worktree of its own, or in this folder', 'worktree', {
    shown: 'Tab',
    hint: 'Tab worktree',
  }),

  row('help', ['up', 'k'], 'up', 'up', { shown: '↑ k' }),
  row('help', ['down', 'j'], 'down', 'down', { shown: '↓ j' }),
  row('help', ['page_up', 'b'], 'a page up', 'page_up', { shown: 'PgUp, b' }),
  row('help', ['page_down', ' '], 'a page down', 'page_down', {
    shown: 'PgDn, Space',
    hint: 'Space next page',
  }),
];

/** What a key does at a place; the first key of two does nothing yet. */
export function actOf(
  where: Where,
  key: Key,
  firstKey: string | undefined,
): Act | 'first_of_two' | undefined {
  const name = keyName(key);
  if (name === undefined) return undefined;
  const pair = `${firstKey} ${name}`;
  // What a place has of its own goes first.
  const of = (wanted: Where) => consoleKeys.filter((each) => each.where === wanted);
  const rows = [...of(where), ...of('everywhere')];
  const isBegun = firstKey === undefined && rows.some(({ keys }) => keys.some((each) => isPair(each, name)));
  const exact = rows.find(({ keys }) => firstKey !== undefined && keys.includes(pair));
  return exact?.act ?? (isBegun ? 'first_of_two' : rows.find(({ keys }) => keys.includes(name))?.act);
}

/** A key as the table names it. */
function keyName(key: Key): string | undefined {
  if (key.kind === 'paste') return undefined;
  return key.kind === 'text' ? key.text : key.kind;
}

function isPair(keys: string, first: string): boolean {
  return keys.length > 2 && keys.startsWith(`${first} `);
}

function row(
  where: Where,
  keys: readonly string[],
  words: string,
  act: Act,
  more: { readonly shown?: string; readonly hint?: string } = {},
): KeyRow {
  return { where, keys, words, act, shown: keys.join(', '), ...more };
}
