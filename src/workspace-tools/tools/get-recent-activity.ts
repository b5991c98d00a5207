import { z } from 'zod';
import { requireRepository } from '../../process/git/repository.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

const MAX_SUBJECT = 300;

const input = {
  limit: z.number().int().min(1).max(200).default(20).describe('how many commits, newest first'),
};

/** Lists the latest commits of the current branch. */
export function getRecentActivity(workspace: ToolWorkspace): WorkspaceTool<typeof input> {
  return defineTool({
    name: 'get_recent_activity',
    description: 'The latest commits of the current branch, newest first.',
    access: 'read',
    input,
    async answer({ limit }) {
      const { git, head } = await requireRepository(workspace);
      if (head.kind === 'unborn') return { commits: [], note: 'There is no commit yet.' };
      const format = '--format=%H%n%an%n%aI%n%s';
      const log = await git.read(['log', '-z', '--no-color', format, `--max-count=${limit}`, 'HEAD', '--']);
      return {
        commits: log
          .split('\0')
          .filter((record) => record !== '')
          .map(commitOf),
      };
    },
  });
}

function commitOf(record: string): unknown {
  const [commit, author, at, ...subject] = record.split('\n');
  return { commit, author, at, subject: subject.join(' ').slice(0, MAX_SUBJECT) };
}
