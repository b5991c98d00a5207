import {
  phaseKindWords,
  phaseMark,
  phaseWords,
  pipelineWords,
} from '../../domain/pipeline/pipeline-words.js';
import { stagesOf } from '../../domain/pipeline/stages.js';
import { age } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Pipeline, PipelineDetail, PipelinePhase } from '../../protocol/pipeline.js';
import type { Colours } from '../terminal/colours.js';
import { tableLines } from '../terminal/table.js';
import type { TableContext } from './table-context.js';

const longestTitle = 60;

const columns = [
  { header: 'PIPELINE' },
  { header: 'NAME', isFlexible: true },
  { header: 'AGE' },
  { header: 'STATE' },
  { header: 'WORKSPACE', isFlexible: true },
];

export function pipelineTable(
  pipelines: readonly Pipeline[],
  { now, width, colours }: Omit<TableContext, 'ids'>,
): string[] {
  const rows = pipelines.map((pipeline) => [
    { text: pipeline.id },
    { text: plainLine(pipeline.name) },
    { text: age(pipeline.createdAt, now) },
    { text: pipelineWords(pipeline) },
    { text: plainLine(pipeline.workspace.path), paint: colours.dim },
  ]);
  return tableLines(columns, rows, { width, paintHeader: colours.dim });
}

/** The pipeline from top to bottom: what stands beside each other waits for the same. Of a file it says what each phase is. */
export function pipelineDrawing(
  phases: readonly PipelinePhase[],
  colours: Colours,
  { isFile = false }: { readonly isFile?: boolean } = {},
): string[] {
  const stages = stagesOf(phases);
  const width = Math.max(
    0,
    ...phases.map(({ title }) => plainLine(title, { maxLength: longestTitle }).length),
  );
  return stages.flatMap((stage, index) => {
    const lines = stage.map((phase, place) => {
      const branch =
        stage.length === 1 ? '  ' : place === 0 ? '┌ ' : place === stage.length - 1 ? '└ ' : '├ ';
      return `${colours.dim(branch)}${phaseLine(phase, width, colours, isFile ? phaseKindWords(phase) : phaseWords(phase))}`;
    });
    return index === 0 ? lines : [colours.dim('  │'), ...lines];
  });
}

/** One phase in one line. */
export function phaseLine(
  phase: PipelinePhase,
  width: number,
  colours: Colours,
  words = phaseWords(phase),
): string {
  const title = plainLine(phase.title, { maxLength: longestTitle }).padEnd(width);
  const needs = phase.needs.length > 1 ? colours.dim(`  needs ${phase.needs.join(', ')}`) : '';
  const last = phase.tries.at(-1)?.dispatchId;
  const where = phase.state === 'asking' ? phase.promptId : phase.state === 'running' ? last : undefined;
  const tail = where === undefined ? '' : colours.dim(`  ${where}`);
  return `${paintedMark(phase, colours)} ${title}  ${words}${needs}${tail}`;
}

export function pipelineHead(pipeline: PipelineDetail, colours: Colours): string {
  return `${colours.bold(plainLine(pipeline.name))}  ${pipelineWords(pipeline)}  ${colours.dim(pipeline.id)}`;
}

function paintedMark(phase: PipelinePhase, colours: Colours): string {
  const mark = phaseMark(phase);
  if (phase.state === 'asking') return colours.yellow(mark);
  if (phase.result === 'success') return colours.green(mark);
  return phase.result === 'failure' ? colours.red(mark) : mark;
}
