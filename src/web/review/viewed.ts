import * as z from 'zod';
import type { ThreadId } from '../../protocol/id.js';

const Viewed = z.object({ revision: z.string(), paths: z.array(z.string()) });

/** The files of a revision that somebody has ticked off in this browser; of another revision they are not. */
export function viewedPaths(thread: ThreadId, revision: string): ReadonlySet<string> {
  try {
    const stored = Viewed.safeParse(JSON.parse(localStorage.getItem(keyOf(thread)) ?? 'null')).data;
    return new Set(stored?.revision === revision ? stored.paths : []);
  } catch {
    return new Set();
  }
}

export function keepViewed(thread: ThreadId, revision: string, paths: ReadonlySet<string>): void {
  try {
    if (paths.size === 0) localStorage.removeItem(keyOf(thread));
    else localStorage.setItem(keyOf(thread), JSON.stringify({ revision, paths: [...paths] }));
  } catch {
    // Kept for as long as the page is open, then.
  }
}

function keyOf(thread: ThreadId): string {
  return `handraise-viewed ${thread}`;
}
