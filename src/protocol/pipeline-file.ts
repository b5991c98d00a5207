import * as z from 'zod';
import { OnFailure, OnSuccess } from './dispatch.js';
import { RuntimeName, SkillName, ToolPreset } from './posture.js';
import { ProcessText } from './process-text.js';
import { requestObject } from './request-object.js';

/** What a phase, an input and a value of a matrix is called: one word of an expression. */
export const PipelineWord = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
    'must be a name of letters, digits, "_" and "-", and begin with a letter',
  );

const Given = ProcessText.max(100_000);
const Line = Given.min(1).max(500);
const Text = Given.min(1);
const Scalar = z.union([Given.max(500), z.number(), z.boolean()]);
const oneOrMany = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).max(100)]);

const Environment = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'), Scalar)
  .describe('Variables of the processes of a phase; values may hold ${{ expressions }}.');

/** Work of an agent. */
const AgentPhase = requestObject({
  prompt: Text.describe('What to do; may hold ${{ expressions }}.'),
  runtime: RuntimeName.optional(),
  model: Given.min(1).max(200).optional(),
  permissions: z.enum(['approval', 'autonomous']).optional(),
  'tool-preset': ToolPreset.optional(),
  'max-turns': z.int().positive().optional(),
  'on-success': OnSuccess.optional(),
  budget: z
    .union([z.number(), z.string().max(50)])
    .optional()
    .describe(
      'What it may spend: dollars, such as 5, or tokens, such as "200k tokens"; then a person is asked.',
    ),
});

/** A phase once for every combination of values. */
const Strategy = requestObject({
  matrix: z
    .union([
      z.string().min(1).max(2000),
      z.record(PipelineWord, z.union([z.string().min(1).max(2000), z.array(Scalar).min(1).max(256)])),
    ])
    .describe(
      'Names, each with its values: a list, or ${{ fromJSON(needs.PHASE.outputs.NAME) }} for a list that an earlier phase gives. All of it may be one such expression, too.',
    ),
  'max-parallel': z.int().positive().max(256).optional(),
  'fail-fast': z.boolean().optional().describe('Whether one that fails cancels the others (default: true).'),
});

const Phase = requestObject({
  name: Line.optional().describe('What people call it (default: its key).'),
  needs: oneOrMany(PipelineWord).optional().describe('The phases that must have ended before.'),
  files: oneOrMany(Given.min(1).max(1000))
    .optional()
    .describe('Files of the workspace that must be there when it starts.'),
  when: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('An expression; where it is false, the phase is skipped.'),
  run: Text.optional().describe('A command line for sh, or ./skills/NAME.'),
  skill: SkillName.optional().describe('The skill to start.'),
  agent: AgentPhase.optional().describe('Work of an agent.'),
  approval: Text.optional().describe('A question that a person answers with Approve or Reject.'),
  text: Text.optional().describe(
    'What a command or skill reads on standard input; may hold ${{ expressions }}.',
  ),
  env: Environment.optional(),
  worktree: z.boolean().optional().describe('Whether it works in a git worktree of its own.'),
  retries: z.int().min(0).max(20).optional().describe('How many more tries it gets, later and later.'),
  'timeout-minutes': z.number().positive().max(10_000).optional().describe('How long each try may take.'),
  verify: Given.min(1).max(2000).optional().describe('A command that must succeed after it.'),
  'continue-on-error': z
    .boolean()
    .optional()
    .describe('Whether the pipeline goes on as if it had succeeded.'),
  'on-failure': OnFailure.optional(),
  strategy: Strategy.optional(),
});

/** A pipeline as it is written by hand. */
export const PipelineFile = requestObject({
  $schema: z.string().optional(),
  name: Line.optional(),
  inputs: z
    .record(
      PipelineWord,
      requestObject({
        description: Line.optional(),
        required: z.boolean().optional(),
        default: Scalar.optional(),
      }),
    )
    .optional()
    .describe('What is given to it when it is run.'),
  env: Environment.optional(),
  'on-failure': OnFailure.optional().describe(
    'What follows when a phase has failed for good: a prompt with a report (`escalate`, the default), or the end.',
  ),
  'max-parallel': z
    .int()
    .positive()
    .max(256)
    .optional()
    .describe('How many phases are under way at once (default: 4).'),
  phases: z.record(PipelineWord, Phase),
});
export type PipelineFile = z.infer<typeof PipelineFile>;
