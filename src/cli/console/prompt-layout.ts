import { isEmptyPlan } from '../../domain/prompts/asked-plan.js';
import { askWords } from '../../domain/words/ask-words.js';
import { unreadWords } from '../../domain/words/reading-words.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { Answer, Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import {
  type ApprovalAbilities,
  allAbilities,
  menuLines,
  openMenu,
  withUnread,
} from '../ask/approval-menu.js';
import { settlingMs } from '../ask/inline-dialog.js';
import { openForm } from '../ask/question-form.js';
import { formLines, type Space } from '../ask/question-view.js';
import { fit } from '../terminal/fit.js';
import { offeredPrecedent, precedentLines, sameKey } from '../view/precedent-lines.js';
import { type AskedRow, askedRows } from './asked-rows.js';
import type { AnswerDraft, ConsoleState, ConsoleWorld, InboxView } from './console-state.js';
import type { Look } from './look.js';
import { firstOutside, type RowSpan, rowsOutside } from './seen-rows.js';
import { promptHead, settlementLines } from './settlement-lines.js';

/** A prompt on the screen: what stands above, the part of what is asked that is in sight, and how it is answered. */
export interface PromptLayout {
  readonly prompt: Prompt;
  readonly head: readonly string[];
  readonly rows: readonly AskedRow[];
  readonly inSight: RowSpan;
  /** The columns that the rows were made for. */
  readonly columns: number;
  readonly foot: readonly string[];
  readonly draft: AnswerDraft;
  readonly isSettling: boolean;
  /** What one key answers: the same as before. */
  readonly offered: Answer | undefined;
}

/** Lower screens have the menu in one line. */
const lowScreen = 14;
const mostShown = 2;

export function promptLayout(
  view: InboxView,
  { state, world, look }: { readonly state: ConsoleState; readonly world: ConsoleWorld; readonly look: Look },
): PromptLayout | undefined {
  const prompt = view.promptId === undefined ? undefined : world.overview.prompts.get(view.promptId);
  if (!prompt) return undefined;
  const thread = world.overview.threads.get(prompt.threadId);
  const columns = Math.max(1, look.columns - 2);
  const rows = askedRows(prompt, thread, { columns, isUnicode: look.isUnicode });
  const isSettling = world.now - view.shownAt < settlingMs;
  const draft = draftOf(prompt, { state, columns, rows: rows.length, can: abilitiesOf(world, thread) });
  const head = [
    ...promptHead(prompt, { thread, world, look }),
    ...(prompt.kind === 'approval'
      ? [look.colours.bold(fit(` ${askWords(prompt, thread)}`, look.columns))]
      : []),
  ];
  const space: Space = { ...look, rows: Math.max(3, Math.floor(look.rows * 0.6)), isSettling };
  const before = beforeLines(prompt, world, look);
  const foot = isOpenPrompt(prompt)
    ? [...before.lines, ...draftLines(draft, space, look)]
    : settlementLines(prompt, world, look);
  const height = Math.max(1, look.rows - head.length - foot.length);
  const top = Math.max(0, Math.min(view.top, rows.length - height));
  return {
    prompt,
    head,
    rows,
    inSight: { from: top, to: Math.min(rows.length, top + height) },
    columns,
    foot,
    draft,
    isSettling,
    offered: before.offered,
  };
}

/** The top of the page that shows the first row that has not been on the screen; at the end of all, the next page. */
export function readOnTop({ rows, inSight }: PromptLayout, state: ConsoleState, prompt: Prompt): number {
  const spans = state.seen.get(prompt.id)?.spans ?? [];
  const unseen = firstOutside(spans);
  return prompt.kind === 'approval' && unseen < rows.length ? unseen : Math.min(inSight.to, rows.length - 1);
}

/** What of an action has not been on the screen, in words; questions are read as they are answered. */
function unreadOf(prompt: Prompt, state: ConsoleState, columns: number, total: number): string {
  if (prompt.kind !== 'approval' || isEmptyPlan(prompt.action)) return '';
  const seen = state.seen.get(prompt.id);
  if (seen?.isWhole) return '';
  const spans = seen?.columns === columns ? seen.spans : [];
  const words = unreadWords({ unseen: rowsOutside(spans, total), total });
  return words === '' ? '' : `${words} Space shows what comes next.`;
}

function draftOf(
  prompt: Prompt,
  {
    state,
    columns,
    rows,
    can,
  }: {
    readonly state: ConsoleState;
    readonly columns: number;
    readonly rows: number;
    readonly can: ApprovalAbilities;
  },
): AnswerDraft {
  const draft = state.answers.get(prompt.id);
  if (prompt.kind !== 'approval')
    return draft?.kind === 'form' ? draft : { kind: 'form', form: openForm(prompt.questions) };
  const unread = unreadOf(prompt, state, columns, rows);
  return draft?.kind === 'menu'
    ? { kind: 'menu', menu: withUnread(draft.menu, prompt, { can, unread }) }
    : { kind: 'menu', menu: openMenu(prompt, can, unread) };
}

function draftLines(draft: AnswerDraft, space: Space, { rows, columns, colours }: Look): string[] {
  if (draft.kind === 'form') return ['', ...formLines(draft.form, space)];
  const { menu } = draft;
  if (rows >= lowScreen || menu.message) return ['', ...menuLines(menu, space)];
  const entries = menu.entries.map(({ keys, words }) => `[${keys[0]}] ${words.split(',')[0]}`).join('  ');
  const unread = menu.unread === '' ? [] : [colours.yellow(fit(`! ${menu.unread}`, columns - 1))];
  return [...unread, space.isSettling ? '' : fit(entries, columns - 1)];
}

/** What was answered before, the same first, and which of it one key gives again. */
function beforeLines(
  { id }: Prompt,
  { precedents, now }: ConsoleWorld,
  { rows, columns, colours }: Look,
): { readonly lines: readonly string[]; readonly offered: Answer | undefined } {
  const list = precedents?.promptId === id ? precedents.list : [];
  const shown = list.slice(0, rows >= lowScreen ? mostShown : 1);
  // Nothing is taken again that is not on the screen.
  const offered = offeredPrecedent(shown);
  const lines = precedentLines(shown, now).map((line, place) => {
    const key = shown[place] === offered ? `[${sameKey}] as` : '      ';
    return colours.dim(fit(` ${key} before: ${line}`, columns));
  });
  return { lines: lines.length === 0 ? [] : ['', ...lines], offered: offered?.answer };
}

/** What the runtime of a thread can be told; until that is known all is offered, and the worker refuses what cannot be. */
function abilitiesOf({ abilities }: ConsoleWorld, thread: Thread | undefined): ApprovalAbilities {
  return abilities.get(thread?.runtime ?? '') ?? allAbilities;
}
