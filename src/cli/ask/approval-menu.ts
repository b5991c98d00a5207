import { isApprovedOnce } from '../../domain/prompts/approved-once.js';
import { isEmptyPlan } from '../../domain/prompts/asked-plan.js';
import { grantWords } from '../../domain/words/grant-words.js';
import type { ApprovalDecision, Prompt } from '../../protocol/prompt.js';
import { fit } from '../terminal/fit.js';
import type { Key } from '../terminal/key.js';
import { emptyField, fieldLine, fieldText, type TextField, typed } from '../terminal/text-field.js';
import { wrappedRows } from '../terminal/wrap.js';
import { hintLine, type Space } from './question-view.js';

/** What the agent's runtime can be told besides yes and no. */
export interface ApprovalAbilities {
  readonly editedInput: boolean;
  readonly denyWithMessage: boolean;
}

export const allAbilities: ApprovalAbilities = { editedInput: true, denyWithMessage: true };

type Choice = 'approve' | 'approve_unread' | 'approve_thread' | 'edit' | 'deny' | 'deny_message';

interface Entry {
  readonly choice: Choice;
  readonly keys: string;
  readonly words: string;
}

/** The decisions about an action on the screen: a list with a letter for each entry, and a message that may be typed. */
export interface ApprovalMenu {
  readonly entries: readonly Entry[];
  /** Nothing is chosen at first, so that an Enter meant for something else approves nothing. */
  readonly cursor: number | undefined;
  readonly message: TextField | undefined;
  /** The rule that "always" makes; empty where that is not offered. */
  readonly always: string;
  /** What has not been on the screen; while there is something, what says yes is stopped until the person says it again. */
  readonly unread: string;
  /** Whether the person wanted to say yes before reading that. */
  readonly isStopped: boolean;
}

/** What says yes to what was shown. */
const needsReading: ReadonlySet<Choice> = new Set<Choice>(['approve', 'approve_thread', 'edit']);

export type MenuStep =
  | { readonly kind: 'menu'; readonly menu: ApprovalMenu }
  | { readonly kind: 'decision'; readonly decision: ApprovalDecision }
  | { readonly kind: 'edit' }
  | { readonly kind: 'leave' };

/** What a runtime cannot do is not offered; a plan and a proposed file are neither edited nor approved for later, an empty plan not at all. */
export function openMenu(
  { action }: Pick<Prompt, 'action'>,
  can: ApprovalAbilities,
  unread = '',
): ApprovalMenu {
  const isAction = action !== undefined && !isApprovedOnce(action);
  const entries: Entry[] = [
    ...(isEmptyPlan(action) ? [] : [{ choice: 'approve', keys: 'y', words: 'approve' } as const]),
    ...(unread === '' || isEmptyPlan(action)
      ? []
      : [{ choice: 'approve_unread', keys: 'u', words: 'approve without reading the rest' } as const]),
    ...(isAction
      ? [
          {
            choice: 'approve_thread',
            keys: 'a',
            words: 'always in this thread',
          } as const,
        ]
      : []),
    ...(isAction && can.editedInput
      ? [{ choice: 'edit', keys: 'e', words: 'change it first, in your editor' } as const]
      : []),
    { choice: 'deny', keys: 'dn', words: 'deny' },
    ...(can.denyWithMessage
      ? [{ choice: 'deny_message', keys: 'm', words: 'deny and say why' } as const]
      : []),
  ];
  const always = isAction ? grantWords(action) : '';
  return { entries, cursor: undefined, message: undefined, always, unread, isStopped: false };
}

/** The menu with what is unread by now; a choice that went away is chosen no more, and words that were typed stay. */
export function withUnread(
  menu: ApprovalMenu,
  prompt: Pick<Prompt, 'action'>,
  { can, unread }: { readonly can: ApprovalAbilities; readonly unread: string },
): ApprovalMenu {
  const fresh = openMenu(prompt, can, unread);
  const isSame = fresh.entries.length === menu.entries.length;
  return {
    ...fresh,
    cursor: isSame ? menu.cursor : undefined,
    message: menu.message,
    isStopped: menu.isStopped && unread !== '',
  };
}

export function menuStep(menu: ApprovalMenu, key: Key): MenuStep {
  if (key.kind === 'interrupt') return { kind: 'leave' };
  return menu.message ? whileTyping(menu, menu.message, key) : whileChoosing(menu, key);
}

function whileTyping(menu: ApprovalMenu, message: TextField, key: Key): MenuStep {
  if (key.kind === 'escape') return shown({ ...menu, message: undefined });
  if (key.kind !== 'enter') return shown({ ...menu, message: typed(message, key) });
  const words = fieldText(message).trim();
  return words === '' ? shown(menu) : decided({ approved: false, message: words });
}

function whileChoosing(menu: ApprovalMenu, key: Key): MenuStep {
  const { entries, cursor } = menu;
  switch (key.kind) {
    case 'escape':
      return { kind: 'leave' };
    case 'up':
      return shown({ ...menu, cursor: ((cursor ?? 0) + entries.length - 1) % entries.length });
    case 'down':
    case 'tab':
      return shown({ ...menu, cursor: ((cursor ?? -1) + 1) % entries.length });
    case 'enter':
      return taken(menu, cursor === undefined ? undefined : entries[cursor]);
    case 'text':
      return byLetter(menu, key.text.toLowerCase());
    default:
      // What is pasted decides nothing: words are never taken for consent.
      return shown(menu);
  }
}

function byLetter(menu: ApprovalMenu, letter: string): MenuStep {
  if (letter === 'j') return whileChoosing(menu, { kind: 'down' });
  if (letter === 'k') return whileChoosing(menu, { kind: 'up' });
  return taken(
    menu,
    menu.entries.find(({ keys }) => keys.includes(letter)),
  );
}

function taken(menu: ApprovalMenu, entry: Entry | undefined): MenuStep {
  if (!entry) return shown(menu);
  if (menu.unread !== '' && needsReading.has(entry.choice)) return shown({ ...menu, isStopped: true });
  switch (entry.choice) {
    case 'approve':
    case 'approve_unread':
      return decided({ approved: true });
    case 'approve_thread':
      return decided({ approved: true, scope: 'thread' });
    case 'edit':
      return { kind: 'edit' };
    case 'deny':
      return decided({ approved: false });
    case 'deny_message':
      return shown({ ...menu, cursor: menu.entries.indexOf(entry), message: emptyField });
    default:
      return entry.choice satisfies never;
  }
}

/** The menu as it stands on the screen. */
export function menuLines(menu: ApprovalMenu, space: Space): string[] {
  const { columns, colours } = space;
  const { entries, cursor, message, always, unread, isStopped } = menu;
  if (message) {
    return [
      colours.cyan(fit(`Why, or what to do instead: ${fieldLine(message)}`, columns - 1)),
      hintLine('Enter denies · Esc goes back', space),
    ];
  }
  const lines = entries.map(({ keys, words }, place) => {
    const line = fit(`${place === cursor ? '›' : ' '} [${keys[0]}] ${words}`, columns - 1);
    return place === cursor ? colours.cyan(line) : line;
  });
  const stopped = isStopped ? 'Not approved. Read it, or press u. ' : '';
  const head = unread === '' ? [] : [colours.yellow(fit(`! ${stopped}${unread}`, columns - 1))];
  const isAlways = cursor !== undefined && entries[cursor]?.choice === 'approve_thread';
  const rule = isAlways ? wrappedRows(always, columns - 1).map(colours.dim) : [];
  return [...head, ...lines, ...rule, hintLine('press a letter, or ↑↓ and Enter · Esc decides later', space)];
}

function shown(menu: ApprovalMenu): MenuStep {
  return { kind: 'menu', menu };
}

function decided(decision: ApprovalDecision): MenuStep {
  return { kind: 'decision', decision };
}
