import * as z from 'zod';
import { ExitCode } from './exit-code.js';
import { DispatchId, PipelineId, PromptId, ThreadId } from './id.js';
import { requestObject } from './request-object.js';
import { FolderRequest } from './workspace.js';

const instant = z.iso.datetime();
const exitCode = z.literal(Object.values(ExitCode));

/** How a phase ended; `waived` is one that failed, and a person said to go on without it. */
export const PhaseResult = z.enum(['success', 'failure', 'cancelled', 'skipped', 'waived']);
export type PhaseResult = z.infer<typeof PhaseResult>;

/** One piece of work that was given for a phase, or could not be given. */
export const PhaseTry = z.object({
  dispatchId: DispatchId.optional(),
  threadId: ThreadId.optional(),
  startedAt: instant,
  endedAt: instant.optional(),
  exitCode: exitCode.optional(),
  /** Why it failed, in a sentence. */
  why: z.string().optional(),
});
export type PhaseTry = z.infer<typeof PhaseTry>;

/** What became of a phase, or of one combination of its matrix, so far. */
export const PipelinePhase = z.object({
  key: z.string().describe('`design`, or `build[2]` for a combination of a matrix.'),
  phase: z.string(),
  title: z.string(),
  kind: z.enum(['command', 'skill', 'agent', 'approval']),
  needs: z.array(z.string()),
  state: z
    .enum(['waiting', 'running', 'asking', 'ended'])
    .describe('`waiting`: for others, or for room. `asking`: a person decides about it.'),
  tries: z.array(PhaseTry),
  promptId: PromptId.optional().describe('The question that a person decides by.'),
  result: PhaseResult.optional(),
  exitCode: exitCode.optional(),
  why: z
    .string()
    .optional()
    .describe(
      'Why it was skipped, failed or was cancelled; of one that succeeded, what of its outputs was lost.',
    ),
  actor: z.string().optional().describe('Who decided about it, where a person did.'),
  outputs: z.record(z.string(), z.string()).optional(),
  startedAt: instant.optional(),
  endedAt: instant.optional(),
});
export type PipelinePhase = z.infer<typeof PipelinePhase>;

/** One run of a pipeline. */
export const Pipeline = z.object({
  id: PipelineId,
  name: z.string(),
  file: z.string().optional().describe('Where it was written.'),
  threadId: ThreadId.describe('Where its questions are asked, and what happens is told.'),
  workspace: FolderRequest.pick({ path: true }),
  state: z.enum(['running', 'ended']),
  result: z.enum(['success', 'failure', 'cancelled']).optional(),
  exitCode: exitCode.optional().describe('That of what stopped it.'),
  actor: z.string(),
  createdAt: instant,
  endedAt: instant.optional(),
});
export type Pipeline = z.infer<typeof Pipeline>;

/** A run of a pipeline with its phases, each after those that it needs. */
export const PipelineDetail = Pipeline.extend({ phases: z.array(PipelinePhase), source: z.string() });
export type PipelineDetail = z.infer<typeof PipelineDetail>;

/** The body that runs a pipeline. */
export const PipelineRequest = requestObject({
  source: z.string().min(1).max(262_144).describe('The pipeline, in YAML.'),
  file: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      'The absolute path of its file. Commands of a file run only if a person has approved it as it is.',
    ),
  workspace: requestObject({ path: z.string().min(1).max(4096) }),
  inputs: z.record(z.string().max(64), z.string().max(100_000)).optional(),
  onlyApproved: z
    .boolean()
    .optional()
    .describe(
      'Refused unless a person has approved `file` exactly as it is, whether or not it has commands.',
    ),
  noInput: z
    .boolean()
    .optional()
    .describe('Nobody is asked: approvals are rejected, and what fails ends the pipeline.'),
  again: z
    .boolean()
    .optional()
    .describe('Runs it although a run of the same file in the same workspace has not ended.'),
});
export type PipelineRequest = z.infer<typeof PipelineRequest>;
