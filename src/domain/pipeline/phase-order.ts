import type { Failure } from '../../protocol/failure.js';
import type { PipelineFile } from '../../protocol/pipeline-file.js';
import type { PlacedFile } from './file-place.js';
import { mostInstances } from './matrix.js';

const mostNamed = 12;

type Phases = PipelineFile['phases'];

/** The keys of all phases, each after those that it needs; a need that cannot be met is refused where it stands. */
export function phaseOrder(phases: Phases, place: PlacedFile): string[] {
  const ids = Object.keys(phases);
  if (ids.length === 0) throw place.refuse(['phases'], 'A pipeline needs a phase.');
  // Whatever follows may call itself once for each of them.
  if (ids.length > mostInstances) throw tooManyPhases(place, ids.length);
  for (const id of ids)
    for (const [index, need] of needsOf(phases[id]).entries()) {
      if (Object.hasOwn(phases, need)) continue;
      throw place.refuse(
        needPath(phases[id], id, index),
        `There is no phase "${need}". There are: ${fewNames(ids)}.`,
      );
    }
  const order = new Set<string>();
  const walk = (id: string, way: readonly string[]): void => {
    if (order.has(id)) return;
    const here = [...way, id];
    for (const [index, need] of needsOf(phases[id]).entries()) {
      if (here.includes(need))
        throw place.refuse(
          needPath(phases[id], id, index),
          `These phases wait for each other: ${circleWords([...here.slice(here.indexOf(need)), need])}. Take one of the needs away.`,
        );
      walk(need, here);
    }
    order.add(id);
  };
  for (const id of ids) walk(id, []);
  return [...order];
}

/** The refusal of a file with too many phases, all of their matrices counted. */
export function tooManyPhases(place: PlacedFile, count: number): Failure {
  return place.refuse(
    ['phases'],
    `All phases with all of their matrices come to ${count}; ${mostInstances} are the most.`,
  );
}

/** The phases that a phase of the file names. */
export function needsOf(phase: Phases[string] | undefined): string[] {
  const { needs = [] } = phase ?? {};
  return Array.isArray(needs) ? needs : [needs];
}

function needPath(phase: Phases[string] | undefined, id: string, index: number): readonly PropertyKey[] {
  return Array.isArray(phase?.needs) ? ['phases', id, 'needs', index] : ['phases', id, 'needs'];
}

function fewNames(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : names.join(', ');
}

/** Of a long circle its beginning and its end. */
function circleWords(circle: readonly string[]): string {
  const shown = circle.length > 9 ? [...circle.slice(0, 4), '…', ...circle.slice(-3)] : circle;
  return shown.join(' needs ');
}
