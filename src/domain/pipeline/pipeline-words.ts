import { cutText } from '../../protocol/cut-text.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { PipelineDetail, PipelinePhase } from '../../protocol/pipeline.js';
import type { Question } from '../../protocol/question.js';
import { outcomeSentence, outputWords } from '../words/outcome-words.js';
import { plainLine, plainText } from '../words/plain-text.js';
import { abortPipeline, approve, reject, retryPhase, skipPhase } from './facts.js';

const longestName = 200;
const longestSentence = 500;
const longestOutput = 8000;
const mostTries = 20;

/** How a phase stands, in a word or two. */
export function phaseWords({ state, result, exitCode, why }: PipelinePhase): string {
  const because =
    why === undefined || why === '' ? '' : `: ${plainLine(why, { maxLength: longestSentence })}`;
  switch (state) {
    case 'waiting':
      return 'waits';
    case 'running':
      // It is under way, and something keeps its work from running.
      return because === '' ? 'runs' : `waits${because}`;
    case 'asking':
      return 'waits for an answer';
    case 'ended':
      return `${resultWords(result, exitCode)}${because}`;
    default:
      return state satisfies never;
  }
}

/** What a phase of a file will do. */
export function phaseKindWords({ kind }: Pick<PipelinePhase, 'kind'>): string {
  return { command: 'a command', skill: 'a skill', agent: 'an agent', approval: 'a person approves' }[kind];
}

/** How a run of a pipeline stands. */
export function pipelineWords({
  state,
  result,
  exitCode,
}: Pick<PipelineDetail, 'state' | 'result' | 'exitCode'>): string {
  return state === 'running' ? 'runs' : resultWords(result, exitCode);
}

/** What a person sees before the name of a phase. */
export function phaseMark({ state, result }: Pick<PipelinePhase, 'state' | 'result'>): string {
  if (state !== 'ended') return { waiting: '○', running: '●', asking: '?' }[state];
  return { success: '✓', failure: '✗', cancelled: '■', skipped: '–', waived: '!' }[result ?? 'skipped'];
}

function resultWords(result: PipelinePhase['result'], exitCode: number | undefined): string {
  if (result === 'failure') return `failed (exit code ${exitCode ?? 1})`;
  if (result === 'success') return 'succeeded';
  if (result === 'waived') return `failed (exit code ${exitCode ?? 1}), waived`;
  return result ?? 'ended';
}

/** The question at a gate. */
export function approvalQuestion(pipeline: { readonly name: string }, question: string): Question {
  return {
    question: plainText(question, { maxLength: longestOutput }),
    header: 'Approval',
    multiSelect: false,
    context: `The pipeline ${named(pipeline.name)} waits for it.`,
    options: [
      { label: approve, description: 'The pipeline goes on.' },
      { label: reject, description: 'The phase fails, exit code 2.' },
    ],
  };
}

/** What becomes of a phase that failed; with every phase, every try of this one, and its last output. */
export function phaseQuestion(
  pipeline: { readonly name: string },
  phase: { readonly title: string; readonly why: string | undefined },
  report: { readonly phases: readonly PipelinePhase[]; readonly outcomes: readonly Outcome[] },
): Question {
  return {
    question: `The phase ${named(phase.title)} of ${named(pipeline.name)} failed. What becomes of it?`,
    header: 'Escalation',
    multiSelect: false,
    context: reportOf(phase, report),
    options: [
      { label: retryPhase, description: 'The phase is tried again from its beginning.' },
      { label: skipPhase, description: 'The pipeline goes on without it.' },
      { label: abortPipeline, description: 'The pipeline ends; what is under way is cancelled.' },
    ],
  };
}

function reportOf(
  { why }: { readonly why: string | undefined },
  { phases, outcomes }: { readonly phases: readonly PipelinePhase[]; readonly outcomes: readonly Outcome[] },
): string {
  const first = Math.max(0, outcomes.length - mostTries);
  const tries = outcomes.slice(first).map((outcome, index) => {
    const words = outcomeSentence(outcome) || outcome.result;
    return `Try ${first + index + 1}: exit code ${outcome.exitCode}, ${plainLine(words, { maxLength: longestSentence })}`;
  });
  const last = outcomes.at(-1);
  const output = outputWords(last);
  return [
    'Phases:',
    ...phases.slice(0, 100).map((phase) => `${phaseMark(phase)} ${named(phase.title)}: ${phaseWords(phase)}`),
    '',
    ...(outcomes.length === 0 && why !== undefined
      ? [plainLine(why, { maxLength: longestSentence })]
      : tries),
    ...(output === '' ? [] : ['', 'The end of the last output:', output.slice(-longestOutput)]),
  ].join('\n');
}

function named(name: string): string {
  return `"${cutText(plainLine(name), longestName)}"`;
}
