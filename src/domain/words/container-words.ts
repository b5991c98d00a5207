import type { Thread } from '../../protocol/thread.js';

/** In which container an agent works: its image, and the engine where it is not the usual one. */
export function containerWords({ image, engine = 'docker' }: NonNullable<Thread['container']>): string {
  return engine === 'docker' ? image : `${image} (${engine})`;
}
