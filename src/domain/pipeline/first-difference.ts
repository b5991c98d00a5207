/** Where two texts begin to differ, as line and column of the second. */
export function firstDifference(
  before: string,
  now: string,
): { readonly line: number; readonly column: number } | null {
  if (before === now) return null;
  let at = 0;
  while (at < before.length && at < now.length && before.charCodeAt(at) === now.charCodeAt(at)) at += 1;
  const lines = now.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
