import { nameUuid } from '../../process/name-uuid.js';
import type { ThreadId } from '../../protocol/id.js';
import type { RequestWatch, StoredLanding } from '../../store/stored-landing.js';
import { requestPlace } from './request-look.js';

export const usualRounds = 3;

/** The watch over a pull request as it begins. There is one per thread and address, so beginning it again is the same one. */
export function newWatch(of: {
  readonly threadId: ThreadId;
  readonly url: string;
  readonly actor: string;
  readonly at: string;
  readonly limit: number;
}): StoredLanding & { readonly watch: RequestWatch } {
  const { threadId, url, actor, at, limit } = of;
  return {
    id: nameUuid(`watch ${threadId} ${url}`, 8),
    threadId,
    kind: 'watch',
    state: 'begun',
    sentence: watchingSentence(url, limit),
    actor,
    pullRequest: url,
    createdAt: at,
    watch: { limit, rounds: 0, count: 0, told: [] },
  };
}

/** The watch that work brings with it whose success was to open a pull request; none where it cannot be watched. */
export function watchAfter(landing: StoredLanding, at: string): StoredLanding | undefined {
  const { kind, state, afterDispatch, pullRequest: url, threadId, actor } = landing;
  if (kind !== 'pr' || state !== 'done' || afterDispatch === undefined || url === undefined) return undefined;
  return requestPlace(url) && newWatch({ threadId, url, actor, at, limit: usualRounds });
}

export function watchingSentence(url: string, limit: number): string {
  const times = limit === 1 ? 'once' : `up to ${limit} times`;
  return `Watching ${url}: failing checks and review comments go to the agent, ${times}; then you are asked.`;
}

/** A landing that watches a pull request. */
export type Watching = StoredLanding & { readonly watch: RequestWatch; readonly pullRequest: string };

export function isWatching(landing: StoredLanding): landing is Watching {
  return landing.kind === 'watch' && landing.watch !== undefined && landing.pullRequest !== undefined;
}
