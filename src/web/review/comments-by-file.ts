import type { ReviewComment } from '../../protocol/review-comment.js';

/** Comments under the files that they are about. */
export function commentsByFile(
  comments: readonly ReviewComment[],
): ReadonlyMap<string, readonly ReviewComment[]> {
  const files = new Map<string, ReviewComment[]>();
  for (const comment of comments) {
    const others = files.get(comment.file);
    if (others) others.push(comment);
    else files.set(comment.file, [comment]);
  }
  return files;
}
