import type * as z from 'zod';

type Issue = z.core.$ZodIssue;

/** What is wrong first: of a value that may be of several kinds, what is wrong with the kind that it is. */
export function nearestIssue(
  issues: readonly Issue[],
  before: readonly PropertyKey[] = [],
): Issue | undefined {
  const [issue] = issues;
  if (issue === undefined) return undefined;
  const path = [...before, ...issue.path];
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find(
      ([first]) => !(first?.code === 'invalid_type' && first.path.length === 0),
    );
    const inside = meant && nearestIssue(meant, path);
    if (inside) return inside;
  }
  return { ...issue, path };
}
