// Questions of a real agent, answered in a room of a server that speaks Slack's Web API and Socket Mode.
import { expect, test } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import { openHostStage } from '../host-stage.js';
import { appToken, botToken, room, SlackStandIn } from './slack-stand-in.js';

test('a question is answered by a button or in words, by somebody who may, over new sockets too', {
  tags: ['full'],
}, async () => {
  const slack = await SlackStandIn.open();
  const channel = { type: 'slack-app', name: 'team', url: slack.url, allowPrivate: true };
  const at = await openHostStage({
    notify: [{ ...channel, botToken, appToken, channel: room, people: { U0ADA: 'ada' } }],
  });
  const first = await at.work('[[ask Where to? | staging | production]] [[next]] [[text Done.]]');
  const message = await slack.message('Where to?');
  const prompt = await at.asked(first.threadId);
  expect(slack.labels(message)).toEqual(['staging', 'production', 'Answer in words', 'Open']);
  await waitUntil('the worker listens', () => slack.connections === 1);
  slack.press(message, 'production', 'U0EVE');
  await waitUntil('the stranger is told', () => slack.whispers.length === 1);
  expect(slack.whispers).toEqual([{ channel: room, user: 'U0EVE', text: 'You may not answer here.' }]);
  slack.press(message, 'Answer in words', 'U0EVE');
  await waitUntil('the stranger is told again', () => slack.whispers.length === 2);
  expect(slack.windows).toEqual([]);
  expect((await at.host.prompts.get(prompt.id)).state).toBe('pending');

  slack.press(message, 'staging', 'U0ADA');
  expect((await at.ended(first)).outcome?.result).toBe('succeeded');
  expect(await at.prompt(prompt, ({ state }) => state === 'answered')).toMatchObject({
    actor: 'user:ada',
    answers: [{ question: 'Where to?', answer: ['staging'] }],
  });
  await waitUntil('the message says so', () => slack.updates.length === 1);
  expect(slack.updates[0]?.text).toContain('✓ Answered: staging, by ada');
  slack.press(message, 'production', 'U0ADA');
  await waitUntil('the second press is answered', () => slack.updates.length === 2);
  expect(slack.updates[1]?.text).toContain('✓ This was answered already by ada: staging');

  slack.disconnect();
  await waitUntil('the worker listens again', () => slack.connections === 2);
  const second = await at.work('[[ask Which name? | one | two]] [[next]] [[text Done.]]');
  slack.press(await slack.message('Which name?'), 'Answer in words', 'U0ADA');
  await waitUntil('a window opens', () => slack.windows.length === 1);
  const [window] = slack.windows;
  if (!window) throw new Error('unreachable');
  const other = await at.asked(second.threadId);
  slack.submit(window, 'Grace Hopper', 'U0ADA');
  expect((await at.ended(second)).outcome?.result).toBe('succeeded');
  expect((await at.host.prompts.get(other.id)).answers).toEqual([
    { question: 'Which name?', answer: ['Grace Hopper'] },
  ]);
  expect(slack.acknowledged.length).toBeGreaterThanOrEqual(5);
  expect(at.log.join('\n')).not.toContain('xoxb');
});
