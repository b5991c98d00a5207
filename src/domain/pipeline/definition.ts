import type { Budget } from '../../protocol/budget.js';
import type { OnFailure, OnSuccess } from '../../protocol/dispatch.js';
import type { RuntimeName, ToolPreset } from '../../protocol/posture.js';
import type { Expression } from './expression.js';
import type { LaterMatrix } from './matrix.js';
import type { Template } from './template.js';

/** A pipeline as it was written, checked and ready to be planned. */
export interface PipelineDefinition {
  readonly name: string;
  readonly inputs: Readonly<Record<string, PipelineInput>>;
  readonly env: Readonly<Record<string, Template>>;
  /** How many phases are under way at once. */
  readonly maxParallel: number;
  /** Each after those that it needs, else in the order of the file. */
  readonly phases: readonly PhaseDefinition[];
}

export interface PipelineInput {
  readonly required: boolean;
  readonly usual: string | undefined;
  readonly description: string | undefined;
}

export interface PhaseDefinition {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly string[];
  /** Everything that comes before it, however far. */
  readonly ancestors: readonly string[];
  readonly files: readonly string[];
  readonly when: Expression | undefined;
  readonly does: PhaseWork;
  readonly text: Template | undefined;
  readonly env: Readonly<Record<string, Template>>;
  readonly worktree: boolean;
  readonly retries: number | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly verify: string | undefined;
  readonly continueOnError: boolean;
  readonly onFailure: OnFailure;
  /** How many of its instances are under way at once. */
  readonly maxParallel: number;
  /** Whether one that failed cancels the others. */
  readonly failFast: boolean;
  /** One, or one for each combination of its matrix. */
  readonly instances: readonly PhaseInstance[];
  /** A matrix that phases before it tell; until then one instance stands for all, with the key of the phase. */
  readonly later: LaterMatrix | undefined;
}

export type PhaseWork =
  | { readonly kind: 'command'; readonly script: string }
  | { readonly kind: 'skill'; readonly skill: string }
  | { readonly kind: 'agent'; readonly agent: AgentWork }
  | { readonly kind: 'approval'; readonly question: Template };

export interface AgentWork {
  readonly prompt: Template;
  readonly runtime: RuntimeName | undefined;
  readonly model: string | undefined;
  readonly permissions: 'approval' | 'autonomous' | undefined;
  readonly toolPreset: ToolPreset | undefined;
  readonly maxTurns: number | undefined;
  readonly onSuccess: OnSuccess | undefined;
  readonly budget: Budget | undefined;
}

/** What is done once: a phase, or a phase with the values of one combination. */
export interface PhaseInstance {
  /** `design`, or `build[2]`. */
  readonly key: string;
  /** `Design`, or `build (linux, 22)`. */
  readonly title: string;
  readonly matrix: Readonly<Record<string, string>>;
  /** Why what was told for its matrix cannot be used; a list without values is nothing to do. */
  readonly unfit?: { readonly why: string; readonly isEmpty: boolean };
}

/** Whether code of the file itself is run, and not only skills and agents. */
export function runsCommands({ phases }: Pick<PipelineDefinition, 'phases'>): boolean {
  return phases.some(({ does, verify }) => does.kind === 'command' || verify !== undefined);
}
