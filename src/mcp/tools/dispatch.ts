import * as z from 'zod';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { ThreadId } from '../../protocol/id.js';
import { RuntimeName } from '../../protocol/posture.js';
import { RepositoryRequest } from '../../protocol/workspace.js';
import { type McpCall, toolLabel, workTool } from '../tool.js';
import { priority, seconds, title, workspace, workText, worktree } from './arguments.js';

const name = 'dispatch';

/** Gives work to an agent, for a person; a person is asked before the agent acts. */
export const dispatchTool = workTool(
  {
    name,
    title: 'Give work to an agent',
    description:
      'Gives work to a coding agent and returns its id at once, or when it has ended with seconds. ' +
      'The agent asks a person before it acts. Look after it with wait, status and diff.',
    input: z.strictObject({
      text: workText,
      workspace,
      worktree,
      repo: RepositoryRequest.shape.repo
        .optional()
        .describe(
          'The address of a git repository, in place of a folder: a worker fetches it, and the work is pushed on a branch of its own.',
        ),
      ref: RepositoryRequest.shape.ref.describe('With repo: the branch, tag or commit to begin at.'),
      thread: ThreadId.optional().describe('Goes on in this thread, with what its agent knows.'),
      runtime: RuntimeName.optional().describe('The kind of agent. claude unless told otherwise.'),
      model: z.string().min(1).max(200).optional(),
      title,
      priority,
      seconds,
    }),
  },
  async (
    { text, workspace: folder, repo, ref, thread, runtime, model, seconds: wait = 0, ...more },
    call,
  ) => {
    const labels = { [toolLabel]: name };
    const common = { text, labels, ...given({ title: more.title, priority: more.priority }) };
    if (thread !== undefined) {
      const extra = Object.keys(
        given({ workspace: folder, repo, ref, worktree: more.worktree, runtime, model }),
      )[0];
      if (extra !== undefined)
        throw new Failure('invalid', `A thread keeps what it was made with, so leave ${extra} out.`);
      return { dispatch: await call.client.dispatches.submit({ ...common, thread }), seconds: wait };
    }
    if (repo === undefined ? ref !== undefined : (folder ?? more.worktree) !== undefined)
      throw new Failure(
        'invalid',
        'Name a folder (workspace, worktree), or a repository (repo, ref), and nothing of the other.',
      );
    const dispatch = await call.client.dispatches.submit({
      ...common,
      workspace:
        repo === undefined
          ? { path: folderFor(folder, call), ...given({ worktree: more.worktree }) }
          : { repo, ...given({ ref }) },
      permissions: 'approval',
      ...given({ runtime }),
      ...(model !== undefined && { posture: { model } }),
    });
    return { dispatch, seconds: wait };
  },
);

/** Gives work for an agent: everything but the text comes from its own work. */
export const agentDispatchTool = workTool(
  {
    name,
    title: 'Give work to another agent',
    description:
      'Gives work to another coding agent like yourself and returns its id at once, or when it has ended with seconds. ' +
      'In your own folder it begins when your own work has ended; with worktree it begins at once, in a copy with ' +
      'what is committed, and diff shows what it did.',
    input: z.strictObject({ text: workText, worktree, priority, seconds }),
  },
  async ({ text, worktree: isWorktree, priority: rank, seconds: wait = 0 }, { client, identity }) => {
    if (identity.workspace === undefined)
      throw new Failure(
        'forbidden',
        'This token has no workspace. Make one that has: handraise token add NAME --agent --workspace DIR',
      );
    const dispatch = await client.dispatches.submit({
      text,
      labels: { [toolLabel]: name },
      workspace: { path: identity.workspace, ...given({ worktree: isWorktree }) },
      ...given({ priority: rank }),
    });
    return { dispatch, seconds: wait };
  },
);

/** The folder that was named, or the one that the other program works in. */
export function folderFor(workspace: string | undefined, { folder }: McpCall): string {
  const path = workspace ?? folder;
  if (path === undefined)
    throw new Failure('invalid', 'workspace: name the folder to work in, as an absolute path.');
  return path;
}
