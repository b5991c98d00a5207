import { plainLine } from '../../domain/words/plain-text.js';
import { Failure } from '../../protocol/failure.js';
import type { Refusal } from '../../store/unit.js';

/** The failure to tell when a unit was refused because another thread has the name; undefined where it was something else. */
export function nameTaken(refusal: Refusal): Failure | undefined {
  if (refusal.because !== 'condition' || !('thread' in refusal.current)) return undefined;
  const { id, name, title, archivedAt } = refusal.current.thread;
  if (archivedAt !== undefined) return undefined;
  return new Failure(
    'conflict',
    `The name ${name} belongs to ${id} (${plainLine(title, { maxLength: 60 })}). Choose another one, or free it: handraise rename ${id} OTHER-NAME`,
  );
}
