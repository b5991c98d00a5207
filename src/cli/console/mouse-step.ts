import type { MousePress } from '../terminal/key.js';
import { fieldText } from '../terminal/text-field.js';
import { commandEntries } from './commands-step.js';
import { commandPlaceAt } from './commands-view.js';
import {
  type ConsoleState,
  type ConsoleStep,
  type ConsoleWorld,
  shownView,
  withView,
} from './console-state.js';
import { inSight } from './diff-place.js';
import { bodyLook, bodyTop, isTiny } from './frame.js';
import { rowKey } from './home-list.js';
import { homeRowAt } from './home-view.js';
import type { Act } from './key-table.js';
import type { Look } from './look.js';
import { promptLayout } from './prompt-layout.js';
import { done } from './prompt-step.js';

/** Rows that one step of the wheel moves. */
const wheelRows = 3;

export interface MouseContext {
  readonly world: ConsoleWorld;
  readonly look: Look;
  /** What a key does to the view that is shown. */
  readonly act: (state: ConsoleState, act: Act) => ConsoleStep;
  readonly press: (state: ConsoleState, key: 'up' | 'down' | 'enter') => ConsoleStep;
}

/** What a mouse does: a click chooses, one on what is chosen opens it, the wheel scrolls. It never answers and never lands. */
export function mouseStep(state: ConsoleState, press: MousePress, context: MouseContext): ConsoleStep {
  if (isTiny(state)) return done(state);
  if (press.kind === 'click') return clickStep(state, press.row - 1 - bodyTop, context);
  return wheelStep(state, press.kind === 'wheel_up' ? 'up' : 'down', context);
}

/** Turns it on or off, and says what that means for the terminal. */
export function mouseTurned(state: ConsoleState): ConsoleStep {
  const isMouseOn = !state.isMouseOn;
  const words = isMouseOn
    ? 'The mouse chooses and scrolls. Text is selected with Shift held down; g m gives the mouse back.'
    : 'The mouse is the terminal’s again.';
  return done({ ...state, isMouseOn, toast: { words, tone: 'quiet' } }, { kind: 'mouse', isOn: isMouseOn });
}

function wheelStep(state: ConsoleState, way: 'up' | 'down', context: MouseContext): ConsoleStep {
  const view = shownView(state);
  const { world, look } = context;
  switch (view.kind) {
    case 'home':
    case 'help':
      return again(state, (next) => context.act(next, way));
    case 'thread':
      return again(state, (next) => context.act(next, way));
    case 'diff':
      return view.writes || view.asks ? done(state) : again(state, (next) => context.act(next, way));
    case 'commands':
      return context.press(state, way);
    case 'inbox': {
      const layout = promptLayout(view, { state, world, look: bodyLook(look) });
      if (!layout) return done(state);
      const { from, to } = layout.inSight;
      const last = Math.max(0, layout.rows.length - (to - from));
      const top = Math.max(0, Math.min(last, from + (way === 'up' ? -wheelRows : wheelRows)));
      return done(withView(state, { ...view, top }));
    }
    case 'work':
      return done(state);
    default:
      return view satisfies never;
  }
}

/** One step of the wheel is several of a key, with all that they ask for. */
function again(state: ConsoleState, step: (state: ConsoleState) => ConsoleStep): ConsoleStep {
  let all = done(state);
  for (let count = 0; count < wheelRows; count += 1) {
    const next = step(all.state);
    all = { state: next.state, effects: [...all.effects, ...next.effects] };
  }
  return all;
}

function clickStep(
  state: ConsoleState,
  line: number,
  { world, look, act, press }: MouseContext,
): ConsoleStep {
  const view = shownView(state);
  const body = bodyLook(look);
  if (line < 0 || line >= body.rows) return done(state);
  switch (view.kind) {
    case 'home': {
      const found = homeRowAt(line - (state.search ? 1 : 0), { state, world, look: body });
      if (!found) return done(state);
      const search = state.search && { ...state.search, isTyping: false };
      const here: ConsoleState = { ...state, search, cursor: rowKey(found.row), toast: undefined };
      return found.isChosen || found.row.kind === 'group' ? act(here, 'open') : done(here);
    }
    case 'diff': {
      const total = world.changes?.rows.length ?? 0;
      if (view.writes || view.asks || total === 0 || line === 0) return done(state);
      const { top } = inSight(view, total, body.rows - 1);
      return top + line - 1 < total
        ? done(withView(state, { ...view, top, cursor: top + line - 1 }))
        : done(state);
    }
    case 'commands': {
      const entries = commandEntries(state, world, fieldText(view.field).trim());
      const place = commandPlaceAt(line, view.cursor, { total: entries.length, rows: body.rows });
      if (place === undefined) return done(state);
      return place === view.cursor
        ? press(state, 'enter')
        : done(withView(state, { ...view, cursor: place }));
    }
    case 'inbox':
    case 'thread':
    case 'help':
    case 'work':
      return done(state);
    default:
      return view satisfies never;
  }
}
