import * as z from 'zod';
import { DispatchId, ThreadId } from '../../protocol/id.js';

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
export const workId = z.union([DispatchId, ThreadId]).describe('A dispatch (dsp_…) or a thread (thr_…).');
