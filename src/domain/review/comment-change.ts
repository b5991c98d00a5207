import { Failure } from '../../protocol/failure.js';
import type { CommentEdit, ReviewComment } from '../../protocol/review-comment.js';
import { actorWords } from '../words/actor-words.js';

/** A comment after somebody edited it, or the same object where nothing changes. */
export function editedComment(
  comment: ReviewComment,
  { body = comment.body, state = comment.state }: CommentEdit,
  { actor, at }: { readonly actor: string; readonly at: string },
): ReviewComment {
  return withState(withBody(comment, body, { actor, at }), state, { actor, at });
}

/** The agent knows the old words, so a comment with new ones was not sent yet. */
function withBody(
  comment: ReviewComment,
  body: string,
  { actor, at }: { readonly actor: string; readonly at: string },
): ReviewComment {
  if (body === comment.body) return comment;
  if (comment.author !== actor) {
    const whose = comment.author === 'agent' ? 'the agent' : actorWords(comment.author);
    throw new Failure(
      'forbidden',
      `Only ${whose} can change the words of this comment. You can resolve it, remove it, or write one of your own.`,
    );
  }
  const { sentAt: _sent, dispatchId: _dispatch, ...rest } = comment;
  return { ...rest, body, editedAt: at };
}

function withState(
  comment: ReviewComment,
  state: ReviewComment['state'],
  { actor, at }: { readonly actor: string; readonly at: string },
): ReviewComment {
  if (state === comment.state) return comment;
  const { resolvedAt: _at, resolvedBy: _by, ...rest } = comment;
  return state === 'open' ? { ...rest, state } : { ...rest, state, resolvedAt: at, resolvedBy: actor };
}

/** Whether a comment goes along when all that wait are sent: words of a person that the agent does not know. */
export function isUnsent({ author, state, sentAt }: ReviewComment): boolean {
  return state === 'open' && author !== 'agent' && sentAt === undefined;
}
