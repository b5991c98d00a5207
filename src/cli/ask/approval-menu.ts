import type { ApprovalDecision, Prompt } from '../../protocol/prompt.js';
import { fit } from '../terminal/fit.js';
import type { Key } from '../terminal/key.js';
import { emptyField, fieldLine, fieldText, type TextField, typed } from '../terminal/text-field.js';
import type { Space } from './question-view.js';

/** What the agent's runtime can be told besides yes and no. */
export interface Abilities {
  readonly editedInput: boolean;
  readonly denyWithMessage: boolean;
}

export const allAbilities: Abilities = { editedInput: true, denyWithMessage: true };

type Choice = 'approve' | 'approve_thread' | 'edit' | 'deny' | 'deny_message';

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
}

export type MenuStep =
  | { readonly kind: 'menu'; readonly menu: ApprovalMenu }
  | { readonly kind: 'decision'; readonly decision: ApprovalDecision }
  | { readonly kind: 'edit' }
  | { readonly kind: 'leave' };

/** The action under which the host shows a plan. */
const planTool = 'plan';

/** What a runtime cannot do is not offered; a plan is neither edited nor approved for later. */
export function openMenu({ action }: Pick<Prompt, 'action'>, can: Abilities): ApprovalMenu {
  const isAction = action !== undefined && action.tool !== planTool;
  const entries: Entry[] = [
    { choice: 'approve', keys: 'y', words: 'approve' },
    ...(isAction
      ? [
          {
            choice: 'approve_thread',
            keys: 'a',
            words: 'approve, and the same in this thread from now on',
          } as const,
        ]
      : []),
    ...(isAction && can.editedInput
      ? [{ choice: 'edit', keys: 'e', words: 'approve with another input, in your editor' } as const]
      : []),
    { choice: 'deny', keys: 'nd', words: 'deny' },
    ...(can.denyWithMessage
      ? [{ choice: 'deny_message', keys: 'm', words: 'deny, and say what to do instead' } as const]
      : []),
  ];
  return { entries, cursor: undefined, message: undefined };
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
  const byNumber = /^[1-9]$/.test(letter) ? menu.entries[Number(letter) - 1] : undefined;
  return taken(menu, byNumber ?? menu.entries.find(({ keys }) => keys.includes(letter)));
}

function taken(menu: ApprovalMenu, entry: Entry | undefined): MenuStep {
  if (!entry) return shown(menu);
  switch (entry.choice) {
    case 'approve':
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
export function menuLines({ entries, cursor, message }: ApprovalMenu, { columns, colours }: Space): string[] {
  if (message) {
    return [
      colours.cyan(fit(`Deny, because: ${fieldLine(message)}`, columns - 1)),
      colours.dim(fit('Enter denies · Esc back to the choices', columns - 1)),
    ];
  }
  const lines = entries.map(({ keys, words }, place) => {
    const line = fit(`${place === cursor ? '›' : ' '} [${keys[0]}] ${words}`, columns - 1);
    return place === cursor ? colours.cyan(line) : line;
  });
  return [...lines, colours.dim(fit('a letter, or ↑↓ and Enter · Esc leaves it open', columns - 1))];
}

function shown(menu: ApprovalMenu): MenuStep {
  return { kind: 'menu', menu };
}

function decided(decision: ApprovalDecision): MenuStep {
  return { kind: 'decision', decision };
}
