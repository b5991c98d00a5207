import type { ReviewComment } from '../../protocol/review-comment.js';
import { plainLine, plainText } from '../words/plain-text.js';

/** Comments as one message to the agent: by file and line, each with the line that it is about. */
export function commentMessage(comments: readonly ReviewComment[]): string {
  const ordered = comments.toSorted(
    (one, other) => compare(one.file, other.file) || one.line - other.line || compare(one.side, other.side),
  );
  const how = comments.length === 1 ? 'a review comment' : `${comments.length} review comments`;
  return [
    `There ${comments.length === 1 ? 'is' : 'are'} ${how} on your changes. Deal with each of them, and say in a sentence what you did about it.`,
    ...ordered.map((comment, index) => commentPart(comment, index + 1)),
  ].join('\n\n');
}

function commentPart({ file, line, side, quote, body, author }: ReviewComment, number: number): string {
  const place = `${number}. ${plainLine(file)}:${line}${side === 'old' ? ' (the line as it was before your change)' : ''}`;
  const whose = author === 'agent' ? ' (your own comment)' : '';
  const quoted = quote === undefined ? [] : [`> ${plainLine(quote)}`];
  return [`${place}${whose}`, ...quoted, plainText(body)].join('\n');
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
