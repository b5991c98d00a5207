/** A line of a difference: which side it is on. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'head';
  readonly text: string;
}

const around = 3;

/** What one text changes into another: the lines that differ, with a few around them. */
export function differenceOf(before: string, after: string): DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end))
    end += 1;
  return [
    ...lines('same', old.slice(Math.max(0, start - around), start)),
    ...lines('removed', old.slice(start, old.length - end)),
    ...lines('added', now.slice(start, now.length - end)),
    ...lines('same', now.slice(now.length - end, now.length - end + around)),
  ];
}

/** The lines of a patch as git writes it. */
export function patchLines(patch: string): DiffLine[] {
  return patch.split('\n').map((line) => {
    if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) };
    if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) };
    if (line.startsWith('@@')) return { kind: 'head', text: line };
    return { kind: 'same', text: line.replace(/^ /, '') };
  });
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}
