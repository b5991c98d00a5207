import type { ReviewComment } from '../../protocol/review-comment.js';
import { actorWords } from './actor-words.js';

/** Where a comment stands with the agent. */
export function commentState({
  state,
  sentAt,
  author,
}: ReviewComment): 'Resolved' | 'Sent' | 'Not sent' | 'Open' {
  if (state === 'resolved') return 'Resolved';
  if (sentAt !== undefined) return 'Sent';
  return author === 'agent' ? 'Open' : 'Not sent';
}

/** Who wrote a comment. */
export function commentAuthor({ author }: Pick<ReviewComment, 'author'>): string {
  return author === 'agent' ? 'the agent' : actorWords(author);
}
