import type { Standing } from '../standing.js';
import type { Reader } from './reader.js';
import { all, firstRow, type Steps } from './steps.js';

export function* readStanding({ build }: Reader): Steps<Standing> {
  const states = yield* all(
    build
      .selectFrom('dispatches')
      .select((its) => ['state', its.fn.countAll<number>().as('count')])
      .where('state', '<>', 'ended')
      .groupBy('state'),
  );
  const of = (state: string) => states.find((each) => each.state === state)?.count ?? 0;
  const prompts = yield* firstRow(
    build
      .selectFrom('prompts')
      .select((its) => [its.fn.countAll<number>().as('count'), its.fn.min('created_at').as('oldest')])
      .where('state', '=', 'pending')
      .where('accepted_at', 'is', null),
  );
  const outbox = yield* firstRow(
    build
      .selectFrom('outbox')
      .select((its) => its.fn.countAll<number>().as('count'))
      .where('done_at', 'is', null),
  );
  return {
    dispatches: { queued: of('queued'), running: of('running'), waiting: of('waiting') },
    openPrompts: prompts?.count ?? 0,
    oldestPromptAt: prompts?.oldest ?? null,
    unsent: outbox?.count ?? 0,
  };
}
