import { isSnoozed } from '../../domain/thread/snooze.js';
import { shortPlace } from '../../domain/words/place-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { promptWords } from '../../domain/words/prompt-words.js';
import { type Overview, openPrompts } from '../../live/overview.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import type { Found } from '../home/filter.js';
import type { Place } from '../place.js';
import type { PaletteCommand } from './palette-commands.js';

/** A line of the palette, and where or what it leads to. */
export type PaletteEntry =
  | {
      readonly kind: 'prompt';
      readonly id: string;
      readonly prompt: Prompt;
      readonly thread: Thread | undefined;
      readonly words: string;
      readonly place: Place;
    }
  | {
      readonly kind: 'thread';
      readonly id: string;
      readonly thread: Thread;
      readonly words: string;
      /** The words that were looked for, where they stand in it. */
      readonly excerpt: string;
      readonly place: Place;
    }
  | { readonly kind: 'command'; readonly id: string; readonly command: PaletteCommand };

export interface PaletteSection {
  readonly head: 'Answer now' | 'Threads' | 'Found in what was said' | 'Commands';
  readonly entries: readonly PaletteEntry[];
}

const mostPrompts = 5;
const mostThreads = 8;
const mostFound = 8;

export interface PaletteWorld {
  readonly overview: Overview;
  readonly found: Found;
  readonly commands: readonly PaletteCommand[];
  readonly now: number;
}

/** What the palette offers for what was typed: questions first, then threads, what was said in them, and commands. `>` asks for commands alone. */
export function paletteSections(
  typed: string,
  { overview, found, commands, now }: PaletteWorld,
): PaletteSection[] {
  const isCommands = typed.startsWith('>');
  const words = wordsOf(isCommands ? typed.slice(1) : typed);
  const { threads } = overview;
  const isMeant = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const prompts = openPrompts(overview).flatMap((prompt): PaletteEntry[] => {
    const thread = threads.get(prompt.threadId);
    if (thread && isSnoozed(thread, now)) return [];
    const asked = promptWords(prompt, thread);
    const text = `${plainLine(thread?.title ?? '')} · ${asked}`;
    const place: Place = { page: 'inbox', promptId: prompt.id };
    return isMeant(text) ? [{ kind: 'prompt', id: prompt.id, prompt, thread, words: text, place }] : [];
  });
  const present = [...threads.values()].filter(({ archivedAt }) => archivedAt === undefined);
  const named = present
    .filter((thread) => isMeant(nameOf(thread)))
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const said = present.filter(({ id }) => (found.get(id) ?? '') !== '');
  const sections: PaletteSection[] = [
    { head: 'Answer now', entries: isCommands ? [] : prompts.slice(0, mostPrompts) },
    {
      head: 'Threads',
      entries: isCommands ? [] : named.slice(0, mostThreads).map((thread) => entryOf(thread, '')),
    },
    {
      head: 'Found in what was said',
      entries:
        isCommands || words.length === 0
          ? []
          : said
              .filter((thread) => !named.slice(0, mostThreads).includes(thread))
              .slice(0, mostFound)
              .map((thread) => entryOf(thread, found.get(thread.id) ?? '')),
    },
    {
      head: 'Commands',
      entries: commands
        .filter(({ words: name, isAlways = false }) => isMeant(name) || (isAlways && words.length > 0))
        .map((command) => ({ kind: 'command', id: command.id, command })),
    },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

function entryOf(thread: Thread, excerpt: string): PaletteEntry {
  const words = plainLine(thread.title) || thread.id;
  const place: Place = { page: 'thread', threadId: thread.id };
  return {
    kind: 'thread',
    id: `${thread.id} ${excerpt === '' ? '' : 'said'}`,
    thread,
    words,
    excerpt,
    place,
  };
}

function nameOf({ title, name = '', id, runtime, workspace }: Thread): string {
  return [plainLine(title), name, id, runtime, shortPlace(workspace), plainLine(workspace.branch ?? '')].join(
    ' ',
  );
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}
