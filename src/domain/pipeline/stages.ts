import type { PipelinePhase } from '../../protocol/pipeline.js';

/** Phases that nothing but earlier stages keeps from beginning, in columns or lines of a drawing. */
export function stagesOf<Phase extends Pick<PipelinePhase, 'phase' | 'needs'>>(
  phases: readonly Phase[],
): readonly (readonly Phase[])[] {
  const depths = new Map<string, number>();
  // Each comes after those that it needs.
  for (const { phase, needs } of phases)
    depths.set(phase, Math.max(0, ...needs.map((need) => (depths.get(need) ?? 0) + 1)));
  const stages: Phase[][] = [];
  for (const each of phases) (stages[depths.get(each.phase) ?? 0] ??= []).push(each);
  return stages;
}
