import { structuredPatch } from 'diff';

/** A line of a difference: which side it is on. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'head';
  readonly text: string;
}

const around = 3;
/** Around a change everything is shown. */
export const everyLine = Number.MAX_SAFE_INTEGER;
// Looking for the shortest difference compares every line with as many others as differ; this is a fifth of a second.
const mostCompared = 1_000_000;
const longestSearch = 1000;

/** What one text changes into another: the lines that differ, with a few around them. */
export function differenceOf(before: string, after: string): DiffLine[] {
  return new DifferenceSearch().differenceOf(before, after);
}

/** Looks for differences until it has compared enough; what comes after is shown as the old lines, then the new ones. */
export class DifferenceSearch {
  readonly #around: number;
  #left = mostCompared;

  /** `lines`: how many are shown around a change. */
  constructor(lines: number = around) {
    this.#around = lines;
  }

  differenceOf(before: string, after: string): DiffLine[] {
    const [old, now] = [linesOf(before), linesOf(after)];
    const [start, end] = sharedEnds(old, now);
    if (start === old.length && start === now.length) return [];
    // Only the lines that may differ are compared: a change in a long text is found however long the text is.
    const from = Math.max(0, start - this.#around);
    const until = Math.max(0, end - this.#around);
    // Lines that were only added or only removed need no search.
    const isOneSided = start + end === Math.min(old.length, now.length);
    const found = isOneSided
      ? undefined
      : this.#search(old.slice(from, old.length - until), now.slice(from, now.length - until));
    return (
      found ?? [
        ...lines('same', old.slice(from, start)),
        ...lines('removed', old.slice(start, old.length - end)),
        ...lines('added', now.slice(start, now.length - end)),
        ...lines('same', old.slice(old.length - end, old.length - until)),
      ]
    );
  }

  #search(old: readonly string[], now: readonly string[]): DiffLine[] | undefined {
    const size = old.length + now.length;
    const maxEditLength = Math.min(longestSearch, Math.floor(this.#left / size));
    if (maxEditLength < 1) return undefined;
    const patch = structuredPatch('', '', textOf(old), textOf(now), '', '', {
      context: this.#around,
      maxEditLength,
    });
    const changed = patch?.hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith(' ')));
    this.#left -= size * (changed?.length ?? maxEditLength);
    // The texts are pieces of a file, so the numbers of their lines would say nothing.
    return patch?.hunks.flatMap((hunk, index) => [
      ...(index === 0 ? [] : lines('head', ['…'])),
      ...hunk.lines.map(patchLine),
    ]);
  }
}

/** The lines of a patch as git writes it. */
export function patchLines(patch: string): DiffLine[] {
  return patch.split('\n').map(patchLine);
}

/** How many lines two texts share at their beginnings, and at their ends behind that. */
function sharedEnds(old: readonly string[], now: readonly string[]): [number, number] {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [start, end];
}

function patchLine(line: string): DiffLine {
  if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) };
  if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) };
  if (line.startsWith('@@')) return { kind: 'head', text: line };
  return { kind: 'same', text: line.replace(/^ /, '') };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function textOf(each: readonly string[]): string {
  return each.map((line) => `${line}\n`).join('');
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}
