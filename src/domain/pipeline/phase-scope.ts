import type { PhaseDefinition, PhaseInstance, PipelineDefinition } from './definition.js';
import type { ExpressionScope } from './expression.js';
import type { EndedPhase, PipelineFacts } from './facts.js';

/** How a phase with all of its instances ended; null while one of them has not. */
export function phaseEnds(
  phase: PhaseDefinition,
  { phases }: Pick<PipelineFacts, 'phases'>,
): readonly EndedPhase[] | null {
  const ends = phase.instances.map(({ key }) => phases.get(key));
  return ends.every((fact) => fact?.state === 'ended') ? ends : null;
}

/** Whether those that need a phase may go on. */
export function isPassed(phase: PhaseDefinition, ends: readonly EndedPhase[]): boolean {
  return ends.every(
    ({ result }) =>
      result === 'success' || result === 'waived' || (result === 'failure' && phase.continueOnError),
  );
}

/** What the expressions of an instance are read from. */
export function scopeOf(
  definition: PipelineDefinition,
  { phase, instance }: { readonly phase: PhaseDefinition; readonly instance: PhaseInstance },
  facts: PipelineFacts,
): ExpressionScope {
  const byId = new Map(definition.phases.map((each) => [each.id, each]));
  const endsOf = (id: string) => {
    const before = byId.get(id);
    return before ? { before, ends: phaseEnds(before, facts) ?? [] } : null;
  };
  return {
    value: ([kind, name = '', what, output = '']) => {
      if (kind === 'inputs') return inputOf(definition, facts, name);
      if (kind === 'matrix') return instance.matrix[name] ?? '';
      const found = endsOf(name);
      if (found === null) return '';
      if (what === 'result') return resultOf(found.ends);
      // Of a matrix, one line for each combination that said something.
      return found.ends
        .flatMap(({ outputs }) => (Object.hasOwn(outputs, output) ? [outputs[output]] : []))
        .join('\n');
    },
    success: phase.needs.every((id) => {
      const found = endsOf(id);
      return found !== null && isPassed(found.before, found.ends);
    }),
    failure: phase.ancestors.some(
      (id) => endsOf(id)?.ends.some(({ result }) => result === 'failure') === true,
    ),
  };
}

/** The text of an input: as it was given, or as it usually is. */
function inputOf(
  { inputs }: Pick<PipelineDefinition, 'inputs'>,
  facts: Pick<PipelineFacts, 'inputs'>,
  name: string,
): string {
  return (Object.hasOwn(facts.inputs, name) ? facts.inputs[name] : inputs[name]?.usual) ?? '';
}

/** The worst of what its instances came to. */
function resultOf(ends: readonly EndedPhase[]): string {
  const results = new Set<string>(ends.map(({ result }) => result));
  return ['failure', 'cancelled', 'waived', 'success', 'skipped'].find((each) => results.has(each)) ?? '';
}
