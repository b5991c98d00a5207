import * as z from 'zod';
import { DispatchId, PipelineId, PromptId, ThreadId } from '../../protocol/id.js';

/** The longest text that is work; more belongs into a file of the workspace. */
const longestText = 100_000;
const longestWaitSeconds = 3600;

/** Arguments that several tools have. */
export const workText = z.string().min(1).max(longestText).describe('What to do, in words.');
export const priority = z
  .int()
  .min(-1000)
  .max(1000)
  .optional()
  .describe('Work with a higher number starts first. 0 unless told otherwise.');
export const title = z.string().max(500).optional().describe('What people see it as.');
export const workspace = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('The absolute path of the folder to work in; the folder of the program unless told otherwise.');
export const worktree = z
  .boolean()
  .optional()
  .describe('Work in a git worktree of its own, and leave the files of the folder alone.');
export const seconds = z
  .number()
  .min(0)
  .max(longestWaitSeconds)
  .optional()
  .describe('For how long to wait for its end. It goes on if it has not ended by then.');
export const workId = z
  .union([DispatchId, ThreadId], {
    error:
      'There is no such id. Work has one that begins with dsp_, a thread one that begins with thr_: see the tool list.',
  })
  .describe('A dispatch (dsp_…) or a thread (thr_…).');
export const pipelineId = idOf(
  PipelineId,
  'A run of a pipeline has one that begins with pip_: run_pipeline returns it.',
);
export const promptId = idOf(
  PromptId,
  'A prompt has one that begins with prm_: status returns those that are open.',
);

/** A model may shorten an id, or make one up; what it is told then says where the right one stands. */
function idOf<Id extends z.ZodType>(id: Id, where: string) {
  return z.union([id], { error: `There is no such id. ${where}` });
}
