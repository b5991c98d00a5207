/** The part of a diff that fits an answer, and the paths whose changes are missing from it. */
export interface FittedPatch {
  readonly text: string;
  readonly cut: readonly string[];
  readonly omitted: readonly string[];
}

/** Splits git's output into one patch per file; inside a patch no line begins like its header. */
export function splitPatches(diff: string): string[] {
  return diff.split(/(?<=\n)(?=diff --git )/).filter((patch) => patch !== '');
}

/** Keeps whole patches while they fit; the first that does not fit is cut at a line, the others are named. */
export function fitPatches(patches: readonly string[], limit: number): FittedPatch {
  const kept: string[] = [];
  const cut: string[] = [];
  const omitted: string[] = [];
  let room = limit;
  for (const patch of patches) {
    if (patch.length <= room) {
      kept.push(patch);
      room -= patch.length;
    } else if (cut.length === 0) {
      kept.push(patch.slice(0, patch.lastIndexOf('\n', room - 1) + 1));
      cut.push(pathOf(patch));
      room = 0;
    } else {
      omitted.push(pathOf(patch));
    }
  }
  return { text: kept.join(''), cut, omitted };
}

function pathOf(patch: string): string {
  const header = patch.split('\n@@ ', 1)[0]?.split('\n') ?? [];
  for (const mark of ['rename to ', '+++ b/', '--- a/', 'diff --git ']) {
    const line = header.find((candidate) => candidate.startsWith(mark));
    if (line !== undefined) return line.slice(mark.length);
  }
  return '';
}
