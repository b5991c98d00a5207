import type { RequestNews, SeenRequest } from './seen-request.js';

const mostTold = 20;
/** For so long news wait for checks that are under way, so that the agent hears all of it at once. */
const patienceMs = 60 * 60_000;

/** How far the watch over a pull request is. */
export interface WatchProgress {
  /** The keys of what its agent has heard. */
  readonly told: readonly string[];
  /** How often it was told something since a person last said to go on. */
  readonly rounds: number;
  readonly limit: number;
  /** Since when there is something to tell. */
  readonly newsSince?: string | undefined;
}

/** What is done after a look at a pull request. */
export type WatchStep =
  | { readonly do: 'end'; readonly why: 'merged' | 'closed' }
  | { readonly do: 'wait'; readonly newsSince: string | undefined }
  /** The agent hears it, as one piece of work. */
  | { readonly do: 'tell'; readonly news: readonly RequestNews[] }
  /** A person decides whether the agent goes on. */
  | { readonly do: 'ask'; readonly news: readonly RequestNews[] };

export function watchStep({
  seen,
  watch,
  now,
}: {
  readonly seen: SeenRequest;
  readonly watch: WatchProgress;
  readonly now: number;
}): WatchStep {
  if (seen.state !== 'OPEN') return { do: 'end', why: seen.state === 'MERGED' ? 'merged' : 'closed' };
  const told = new Set(watch.told);
  const news = seen.news.filter(({ key }) => !told.has(key)).slice(0, mostTold);
  if (news.length === 0) return { do: 'wait', newsSince: undefined };
  const newsSince = watch.newsSince ?? new Date(now).toISOString();
  if (seen.isPending && now - Date.parse(newsSince) < patienceMs) return { do: 'wait', newsSince };
  return watch.rounds < watch.limit ? { do: 'tell', news } : { do: 'ask', news };
}
