import { seenFolder } from '../../domain/container/seen-folder.js';
import { isAnsweredByPerson, precedentOf } from '../../domain/prompts/precedent.js';
import { precedentKeys } from '../../domain/prompts/precedent-keys.js';
import type { ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { mostPrecedents, type Precedent } from '../../protocol/precedent.js';
import type { Store } from '../../store/store.js';
import { sha256 } from '../sha256.js';
import { projectOf } from './thread-prompts.js';

/** What persons have answered before to a prompt like this one, in the same project: the same first, then the newest. */
export async function precedentsFor(store: Store, prompt: ThreadPrompt): Promise<Precedent[]> {
  const thread = await store.query('thread', { id: prompt.threadId });
  if (!thread || prompt.questions.some(({ byWorker }) => byWorker)) return [];
  // A prompt of an earlier version of this program has none with it.
  const keys =
    prompt.keys ?? precedentKeys(prompt, { project: projectOf(thread), cwd: seenFolder(thread), sha256 });
  if (!keys) return [];
  const asked = { ...prompt, keys };
  const earlier = await store.query('precedents', { keys, except: prompt.id, limit: mostPrecedents });
  const precedents: Precedent[] = [];
  for (const each of earlier) {
    if (!isAnsweredByPerson(each)) continue;
    const asker = await store.query('thread', { id: each.threadId });
    precedents.push(precedentOf(asked, each, asker ?? undefined));
  }
  return precedents;
}
