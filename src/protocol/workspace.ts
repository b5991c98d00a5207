import * as z from 'zod';
import { requestObject } from './request-object.js';

/** Where an agent works: a directory, or a git worktree made from it. */
export const Workspace = requestObject({
  path: z.string().min(1),
  worktree: z.boolean().optional(),
  branch: z.string().optional(),
  /** A new worktree begins with what is not committed in the directory. */
  includeChanges: z.boolean().optional(),
});
export type Workspace = z.infer<typeof Workspace>;
