import type { Client } from '../../client/client.js';
import { changeTotals } from '../../domain/words/change-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';

/** What the work of a thread changed so far and how to see it; nothing where nothing changed or nobody can tell. */
export async function changedLine(client: Client, threadId: ThreadId): Promise<string | undefined> {
  try {
    const { totals, branch, isWorktree } = await client.threads.changes(threadId, { limit: 1 });
    if (totals.files === 0) return undefined;
    const { threads } = await client.threads.list({ limit: 1, order: 'newest_first' });
    const name = threads[0]?.id === threadId ? 'last' : threadId;
    const where = isWorktree && branch !== undefined ? ` on ${plainLine(branch)}` : '';
    const commands = isWorktree
      ? [`diff ${name}`, `merge ${name}`, `apply ${name}`, `pr ${name}`]
      : [`diff ${name}`];
    return `${changeTotals(totals)}${where}: handraise ${commands.join(' · ')}`;
  } catch (error) {
    // The outcome is told; a workspace that is gone or no repository takes nothing from it.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
