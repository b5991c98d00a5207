import { plainLine } from '../../domain/words/plain-text.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import { emptyField, fieldText, typed } from '../terminal/text-field.js';
import {
  type CommandsView,
  type ConsoleInput,
  type ConsoleState,
  type ConsoleStep,
  type ConsoleView,
  type ConsoleWorld,
  goneBack,
  shownView,
  withView,
} from './console-state.js';
import { type Act, consoleKeys, type KeyRow } from './key-table.js';
import { done } from './prompt-step.js';

/** Something that can be done from where the person was, or a thread to go to. */
export type CommandEntry =
  | { readonly kind: 'act'; readonly row: KeyRow }
  | { readonly kind: 'thread'; readonly thread: Thread };

/** What only moves about is nothing to look up by its name, and an answer is given where everything is in sight. */
const notListed: ReadonlySet<Act> = new Set<Act>([
  'up',
  'down',
  'left',
  'right',
  'page_up',
  'page_down',
  'first',
  'last',
  'read_on',
  'read_back',
  'answer',
  'same',
  'back',
  'commands',
]);

/** Opens the commands of the view that is shown. */
export function commandsView(): CommandsView {
  return { kind: 'commands', field: emptyField, cursor: 0 };
}

/** What fits to the words: what can be done here and everywhere, then threads, the newest first. */
export function commandEntries(
  state: ConsoleState,
  world: Pick<ConsoleWorld, 'overview'>,
  words: string,
): CommandEntry[] {
  const below = viewBelow(state);
  const wanted = words.toLowerCase().split(/\s+/);
  const fits = (text: string) => wanted.every((word) => text.toLowerCase().includes(word));
  const acts = consoleKeys
    .filter(({ where, act }) => (where === below.kind || where === 'everywhere') && !notListed.has(act))
    .filter((row) => fits(row.words));
  const threads = [...world.overview.threads.values()]
    .filter(({ archivedAt, title }) => archivedAt === undefined && fits(plainLine(title)))
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return [
    ...acts.map((row) => ({ kind: 'act', row }) as const),
    ...threads.map((thread) => ({ kind: 'thread', thread }) as const),
  ];
}

/** What is done with the command that was chosen. */
export interface CommandRuns {
  readonly act: (state: ConsoleState, act: Act) => ConsoleStep;
  readonly thread: (state: ConsoleState, threadId: ThreadId) => ConsoleStep;
}

/** What a key does to the list of commands; every other key is text. */
export function commandsStep(
  state: ConsoleState,
  view: CommandsView,
  {
    press: { key, at, isRepeat },
    world,
    runs,
  }: {
    readonly press: Extract<ConsoleInput, { kind: 'key' }>;
    readonly world: ConsoleWorld;
    readonly runs: CommandRuns;
  },
): ConsoleStep {
  const entries = commandEntries(state, world, fieldText(view.field).trim());
  const to = (cursor: number) =>
    done(withView(state, { ...view, cursor: Math.max(0, Math.min(cursor, entries.length - 1)) }));
  switch (key.kind) {
    case 'escape':
      return done(goneBack(state, at));
    case 'up':
      return to(view.cursor - 1);
    case 'down':
    case 'tab':
      return to(view.cursor + 1);
    case 'enter': {
      const chosen = entries[view.cursor];
      if (!chosen || isRepeat) return done(state);
      const closed = goneBack({ ...state, toast: undefined }, at);
      return chosen.kind === 'act' ? runs.act(closed, chosen.row.act) : runs.thread(closed, chosen.thread.id);
    }
    default: {
      // An empty field has nothing to take away: the person wants out.
      if (key.kind === 'backspace' && fieldText(view.field) === '') return done(goneBack(state, at));
      const line =
        key.kind === 'paste' ? { kind: 'paste' as const, text: key.text.replaceAll('\n', ' ') } : key;
      return done(withView(state, { ...view, field: typed(view.field, line), cursor: 0 }));
    }
  }
}

/** The view that the commands are for. */
function viewBelow(state: ConsoleState): ConsoleView {
  return state.views.at(-2) ?? shownView(state);
}
