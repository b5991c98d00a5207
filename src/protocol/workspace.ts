import * as z from 'zod';
import { requestObject } from './request-object.js';

/** Where an agent is to work: a directory, or a git worktree to be made from it. */
export const WorkspaceRequest = requestObject({
  path: z.string().min(1),
  worktree: z.boolean().optional(),
  branch: z.string().optional(),
  /** A new worktree begins with what is not committed in the directory. */
  includeChanges: z.boolean().optional(),
});
export type WorkspaceRequest = z.infer<typeof WorkspaceRequest>;

/** Where an agent works. */
export const Workspace = z.object({
  ...WorkspaceRequest.shape,
  /** So many ports in a row that no other worktree has. */
  ports: z.object({ first: z.int(), count: z.int() }).optional(),
  /** The worktree has what its user and its project want it to have before an agent starts in it. */
  setUp: z.boolean().optional(),
});
export type Workspace = z.infer<typeof Workspace>;
