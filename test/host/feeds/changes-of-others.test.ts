import { expect, test } from 'vitest';
import { ChangesOfOthers } from '../../../src/host/feeds/changes-of-others.js';
import { ThreadChanges } from '../../../src/host/threads/thread-changes.js';
import { Failure } from '../../../src/protocol/failure.js';
import type { Store } from '../../../src/store/store.js';
import { Subscription } from '../../../src/store/subscription.js';
import { aPrompt, aThread, at, done } from '../../contract/store/records.js';
import { waitUntil } from '../../harness/wait-until.js';
import { sqlitePlace } from '../../store/sqlite/place.js';

const clock = { now: Date.now, monotonic: () => performance.now() };
const ignore = () => {};

test('an answer that somebody else took is brought to its agent, also where the database was away when it was told', async () => {
  const place = await sqlitePlace();
  const store = await place.open();
  const changes = new ThreadChanges(store, clock);
  const { id: threadId } = await aThread(store);
  // Kept in mind, as it is while its work is executed.
  const held = changes.hold(threadId);
  const prompt = await aPrompt(store, threadId);
  expect((await changes.state(threadId)).prompts.map(({ acceptedAt }) => acceptedAt)).toEqual([undefined]);
  const accepted = { actor: 'user:ann', at: at(1), answer: { text: 'Red' } } as const;
  await done(store, [{ do: 'acceptAnswer', promptId: prompt.id, ...accepted }]);

  const failing = new AwayAtFirst(store);
  const brought: string[] = [];
  const log: string[] = [];
  const others = new ChangesOfOthers({
    store: failing,
    changes,
    delivery: { answer: ({ id }) => brought.push(id) > 0 },
    feed: { publish: ignore, isWatched: () => false, watched: [] },
    statuses: { publish: ignore, isWatched: false },
    dispatcher: { poke: ignore },
    rules: { refresh: async () => await Promise.resolve() },
    log: (line) => log.push(line),
  });
  others.open();
  failing.notices.publish({ topic: 'prompt', threadId, promptId: prompt.id }, 'others');
  await waitUntil('the answer is brought', () => brought.length > 0);
  expect(brought).toEqual([prompt.id]);
  expect(log).toEqual(['What another worker wrote could not be read: The database is away.']);
  expect((await changes.state(threadId)).prompts.map(({ acceptedAt }) => acceptedAt)).toEqual([at(1)]);

  held[Symbol.dispose]();
  await others[Symbol.asyncDispose]();
  await store.close();
  await place.remove();
});

/** A store whose first answer to this reader is that it is away. */
class AwayAtFirst implements Pick<Store, 'isShared' | 'query' | 'subscribe'> {
  readonly isShared = true;
  readonly notices = new Subscription({ filter: {}, onClose: ignore });
  readonly query: Store['query'];

  constructor(store: Store) {
    let isAway = true;
    this.query = async (name, input) => {
      const wasAway = isAway;
      isAway = false;
      if (wasAway) throw new Failure('unavailable', 'The database is away.');
      return await store.query(name, input);
    };
  }

  subscribe(): Subscription {
    return this.notices;
  }
}
