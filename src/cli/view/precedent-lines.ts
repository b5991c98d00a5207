import { actorWords } from '../../domain/words/actor-words.js';
import { age } from '../../domain/words/age.js';
import type { Precedent } from '../../protocol/precedent.js';

/** The key that gives the same answer as before. */
export const sameKey = '=';

/** What was answered before to a prompt like this one, a line for each. */
export function precedentLines(precedents: readonly Precedent[], now: number): string[] {
  return precedents.map(({ likeness, asked, answered, actor, at }) => {
    const what = likeness === 'same' ? 'the same' : `like it (${asked})`;
    return `${age(at, now)} ago, ${what}: ${answered} · by ${actorWords(actor)}`;
  });
}

/** The one that can be taken again with a key; the same before one like it. */
export function offeredPrecedent(precedents: readonly Precedent[]): Precedent | undefined {
  return precedents.find(({ answer }) => answer !== undefined);
}
