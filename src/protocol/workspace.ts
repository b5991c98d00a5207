import * as z from 'zod';
import { requestObject } from './request-object.js';

/** A folder, or a git worktree to be made from it. */
export const FolderRequest = requestObject({
  path: z.string().min(1),
  worktree: z.boolean().optional(),
  branch: z.string().optional(),
  /** A new worktree begins with what is not committed in the directory. */
  includeChanges: z.boolean().optional(),
});
export type FolderRequest = z.infer<typeof FolderRequest>;

/** A branch, a tag, a full name below `refs/`, or the whole id of a commit. */
export const GitRef = z
  .string()
  .min(1)
  .max(255)
  .regex(
    /^(?![-/.])(?!.*(?:\.\.|@\{|\/\/|\.lock$))[^\p{C}\s~^:?*[\\]+(?<![/.])$/u,
    'must be the name of a branch or tag, or the whole id of a commit',
  );

/** A git repository that the worker fetches; the agent works in a worktree of it, on a branch of its own. */
export const RepositoryRequest = requestObject({
  repo: z
    .string()
    .min(1)
    .max(2000)
    .describe('Its address, such as https://git.example/shop.git or git@git.example:shop.git.'),
  ref: GitRef.optional().describe(
    'The branch, tag or commit to begin at; the default branch of the repository unless given.',
  ),
});
export type RepositoryRequest = z.infer<typeof RepositoryRequest>;

/** Where an agent is to work. */
export const WorkspaceRequest = z.union([FolderRequest, RepositoryRequest], {
  error: ({ code, input }) => (code === 'invalid_union' ? refusalOf(input) : undefined),
});
export type WorkspaceRequest = z.infer<typeof WorkspaceRequest>;

/** What is wrong is said of the one of the two that was meant. */
function refusalOf(input: unknown): string | undefined {
  const isRepository = typeof input === 'object' && input !== null && 'repo' in input;
  const [issue] = (isRepository ? RepositoryRequest : FolderRequest).safeParse(input).error?.issues ?? [];
  if (!issue) return undefined;
  return [...(issue.path.length > 0 ? [issue.path.join('.')] : []), issue.message].join(': ');
}

/** Where an agent works. With `repo`, `path` is the address itself until a worker has made the worktree. */
export const Workspace = z.object({
  ...FolderRequest.shape,
  repo: z.string().optional().describe('The address of the git repository that the work was given with.'),
  ref: z.string().optional().describe('The branch, tag or commit that was asked for.'),
  project: z.string().optional().describe('The folder that the worktree was made from.'),
  pushed: z
    .object({ branch: z.string(), commit: z.string() })
    .optional()
    .describe('The branch on which the work was pushed last.'),
  /** So many ports in a row that no other worktree has. */
  ports: z.object({ first: z.int(), count: z.int() }).optional(),
  /** The worktree has what its user and its project want it to have before an agent starts in it. */
  setUp: z.boolean().optional(),
});
export type Workspace = z.infer<typeof Workspace>;
