import { age } from '../../domain/words/age.js';
import { commentAuthor, commentState } from '../../domain/words/comment-words.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import { shortIds } from '../../domain/words/short-id.js';
import type { ReviewComment } from '../../protocol/review-comment.js';
import type { Colours } from '../terminal/colours.js';

/** Comments as lines for a person, each with its place, its state and its words. */
export function commentLines(
  comments: readonly ReviewComment[],
  { colours, now }: { readonly colours: Colours; readonly now: number },
): string[] {
  const short = shortIds(comments.map(({ id }) => id));
  return comments.flatMap((comment) => {
    const { id, file, line, side, severity, quote, body, createdAt } = comment;
    const place = `${plainLine(file)}:${line}${side === 'old' ? ' (before)' : ''}`;
    const about = [
      commentState(comment),
      ...(severity === undefined ? [] : [severity]),
      commentAuthor(comment),
      age(createdAt, now),
    ].join(' · ');
    return [
      `${colours.dim(short(id))}  ${colours.bold(place)}  ${colours.dim(about)}`,
      ...(quote === undefined ? [] : [colours.dim(`  > ${plainLine(quote)}`)]),
      ...plainText(body)
        .split('\n')
        .map((text) => `  ${text}`),
    ];
  });
}
