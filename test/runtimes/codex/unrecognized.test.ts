// Items of Codex that nobody here knows become an event; those that are known and no news stay silent.
import { expect, it } from 'vitest';
import { CodexTranslator } from '../../../src/runtimes/codex/translate.js';
import { readNotification, WireOpened } from '../../../src/runtimes/codex/wire.js';

function translated(...said: readonly (readonly [method: string, params: object])[]) {
  const translator = new CodexTranslator({
    now: () => 0,
    cwd: '/work',
    permissionMode: 'default',
    expectsStructuredOutput: false,
  });
  translator.opened(WireOpened.parse({ thread: { id: 'main' }, cwd: '/work', model: 'm' }));
  translator.begin('u');
  return said.flatMap(([method, params]) => translator.notification(readNotification(method, params)));
}

const about = (item: object, threadId = 'main') => ({ threadId, turnId: 'turn', item });

it.each([
  [{ type: 'userMessage', id: 'i', content: [] }],
  [{ type: 'hookPrompt', id: 'i', fragments: [] }],
  [{ type: 'enteredReviewMode', id: 'i', review: '' }],
  [{ type: 'exitedReviewMode', id: 'i', review: '' }],
])('is silent about %j', (item) => {
  expect(translated(['item/started', about(item)], ['item/completed', about(item)])).toEqual([]);
});

const image = { type: 'imageGeneration', id: 'i', status: 'completed', revisedPrompt: null, result: 'AAAA' };

it.each(['main', 'a sub-agent'])('tells once of an item of %s that it does not know', (threadId) => {
  expect(
    translated(['item/started', about(image, threadId)], ['item/completed', about(image, threadId)]),
  ).toEqual([{ type: 'unrecognized', raw: image }]);
});

it('tells of an unknown notification, and keeps only the beginning of a huge one', () => {
  const [short, long] = translated(
    ['thread/dreamt', { of: 'sheep' }],
    ['thread/dreamt', { of: 'x'.repeat(1_000_000) }],
  );
  expect(short).toEqual({ type: 'unrecognized', raw: { method: 'thread/dreamt', params: { of: 'sheep' } } });
  const beginning = '{"method":"thread/dreamt","params":{"of":"';
  expect(long).toEqual({
    type: 'unrecognized',
    raw: beginning + 'x'.repeat(16_384 - beginning.length),
  });
});
