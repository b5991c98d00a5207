import * as z from 'zod';

/** Where an agent works: a directory, or a git worktree made from it. */
export const Workspace = z.strictObject({
  path: z.string().min(1),
  worktree: z.boolean().optional(),
  branch: z.string().optional(),
});
export type Workspace = z.infer<typeof Workspace>;
