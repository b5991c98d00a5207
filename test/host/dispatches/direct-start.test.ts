import { expect, test, vi } from 'vitest';
import type { Unit } from '../../../src/store/unit.js';
import { openHostStage } from '../host-stage.js';

/** What the unit that stores this piece of work does besides. */
function takingIn(units: readonly Unit[], id: string): string[] {
  const unit = units.find(({ operations }) =>
    operations.some((each) => each.do === 'insertDispatch' && each.dispatch.id === id),
  );
  return unit?.operations.map((each) => each.do) ?? [];
}

test('work for an idle agent is stored, claimed, begun and said in one commit', async () => {
  const at = await openHostStage();
  const { threadId } = await at.done('[[text First.]]');
  const commit = vi.spyOn(at.store, 'commit');
  const second = await at.work('[[text Second.]]', { thread: threadId });
  const units = commit.mock.calls.map(([unit]) => unit);
  expect(takingIn(units, second.id)).toEqual(
    expect.arrayContaining([
      'insertDispatch',
      'claimDispatches',
      'startAttempt',
      'addAttemptRun',
      'appendEvents',
    ]),
  );
  const ended = await at.ended(second);
  expect(ended).toMatchObject({ state: 'ended', outcome: { result: 'succeeded', summary: 'Second.' } });
  expect(ended.attempts).toHaveLength(1);
  const said = await at.events(threadId, 'dispatch_started', 'user_message', 'dispatch_ended');
  expect(said.filter((event) => event['dispatchId'] === second.id).map(({ type }) => type)).toEqual([
    'dispatch_started',
    'user_message',
    'dispatch_ended',
  ]);
});

test('work with a budget is looked at before its agent hears of it', async () => {
  const at = await openHostStage();
  const { threadId } = await at.done('[[text First.]]');
  const commit = vi.spyOn(at.store, 'commit');
  const second = await at.done('[[text Second.]]', { thread: threadId, budget: { usd: 1 } });
  const units = commit.mock.calls.map(([unit]) => unit);
  expect(takingIn(units, second.id)).toEqual(['insertDispatch', 'claimDispatches']);
  expect(second).toMatchObject({ outcome: { result: 'succeeded', summary: 'Second.' } });
});
