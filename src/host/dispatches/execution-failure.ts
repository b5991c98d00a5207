import { RefusalError } from '../../process/files/refusal.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';

/** Why work could not go on, as a failure: what is none yet is a bug of ours, unless git or a file refused something. */
export function executionFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  // What was refused is for the person to read.
  if (error instanceof RefusalError) return new Failure('conflict', error.message, { cause: error });
  return new Failure('internal', errorSentence(error));
}
