import { useEffect, useState, useSyncExternalStore } from 'react';
import { type FeedView, ThreadFeed } from '../../live/thread-feed.js';
import type { ThreadId } from '../../protocol/id.js';
import { useConsole } from '../console-context.js';
import { whileWanted } from '../presence.js';
import { useSignIn } from '../sign-in/sign-in.js';

/** The feed of a thread for as long as its page is shown. */
export function useThreadFeed(threadId: ThreadId): { readonly feed: ThreadFeed; readonly view: FeedView } {
  const { client, presence, signIn } = useConsole();
  const { secret } = useSignIn(signIn);
  const [feed] = useState(() => new ThreadFeed(client, threadId));
  useEffect(() => {
    const ending = new AbortController();
    const { subscribe } = presence;
    const isWanted = () => presence.isVisible;
    void whileWanted({ subscribe, isWanted }, ending.signal, (signal) => feed.follow(signal));
    return () => ending.abort();
    // Begins anew with every sign-in.
  }, [feed, presence, secret]);
  return { feed, view: useSyncExternalStore(feed.subscribe, () => feed.view) };
}
