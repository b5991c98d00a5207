import type { Failure } from '../../protocol/failure.js';
import type { PhaseWork } from './definition.js';
import { PlacedFile } from './file-place.js';

/** The keys of the file by which a phase says what it does. */
const keysOf: Readonly<Record<PhaseWork['kind'], readonly string[]>> = {
  command: ['run'],
  skill: ['skill', 'run'],
  agent: ['agent'],
  approval: ['approval'],
};

/** Why the work of a phase cannot be taken in, with the line and column where the file says what it does. */
export function phaseFailure(
  failure: Failure,
  { source, file }: { readonly source: string; readonly file: string },
  { id, does }: { readonly id: string; readonly does: PhaseWork },
): Failure {
  const [name = file] = file.split('/').slice(-1);
  const place = new PlacedFile(source, name);
  const path = keysOf[does.kind].map((key) => ['phases', id, key]).find((each) => place.has(each));
  return place.about(path ?? ['phases', id], failure);
}
