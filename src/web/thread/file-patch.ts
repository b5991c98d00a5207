import { type DiffLine, patchLines } from '../parts/diff-line.js';

/** The lines of a patch by the file that they change; the header that names the file is left out. */
export function filePatches(patch: string): ReadonlyMap<string, DiffLine[]> {
  const parts = patch.split(/^diff --git /m).slice(1);
  return new Map(
    parts.flatMap((part) => {
      const start = part.search(/^@@/m);
      const path = pathOf(start < 0 ? part : part.slice(0, start));
      if (path === undefined) return [];
      return [[path, start < 0 ? [] : patchLines(part.slice(start).replace(/\n$/, ''))] as const];
    }),
  );
}

/** A file that is gone is named on the other side. */
function pathOf(head: string): string | undefined {
  const after = /^\+\+\+ (?:b\/)?(.*)$/m.exec(head)?.[1];
  const before = /^--- (?:a\/)?(.*)$/m.exec(head)?.[1];
  const named = after === '/dev/null' ? before : after;
  return (named ?? / b\/(.*)$/m.exec(head)?.[1])?.replace(/\t$/, '');
}
