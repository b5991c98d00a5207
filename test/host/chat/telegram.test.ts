// Questions of a real agent, answered in a chat of a server that speaks Telegram's protocol.
import { expect, test } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import { openHostStage } from '../host-stage.js';
import { chat, TelegramStandIn, token } from './telegram-stand-in.js';

const ada = 5001;
const stranger = 6666;

async function opened() {
  const telegram = await TelegramStandIn.open();
  const channel = { type: 'telegram', name: 'phone', url: telegram.url, allowPrivate: true };
  const at = await openHostStage({
    notify: [{ ...channel, token, chat: String(chat), people: { [ada]: 'ada' } }],
    publicUrl: 'https://agents.example',
  });
  return { telegram, at };
}

test('a question is answered by a button, by somebody who may, once', async () => {
  const { telegram, at } = await opened();
  const work = await at.work('[[ask Where to? | staging | production]] [[next]] [[text Done.]]');
  const message = await telegram.message('Where to?');
  const prompt = await at.asked(work.threadId);
  expect(telegram.labels(message)).toEqual(['staging', 'production', 'Open']);

  telegram.press(message, 'production', stranger);
  await waitUntil('the stranger is told', () => telegram.notices.length === 1);
  expect(telegram.notices).toEqual(['You may not answer here.']);
  telegram.press(message, 'production', ada, -999);
  telegram.say(message, `option1:${prompt.id}:000000000000`, ada);
  await waitUntil('what was made up is refused', () => telegram.notices.length === 2);
  expect(telegram.notices[1]).toBe('Something else is asked by now. Open it.');
  expect((await at.host.prompts.get(prompt.id)).state).toBe('pending');

  telegram.press(message, 'staging', ada);
  expect((await at.ended(work)).outcome?.result).toBe('succeeded');
  const answered = await at.prompt(prompt, ({ state }) => state === 'answered');
  expect(answered).toMatchObject({
    actor: 'user:ada',
    answers: [{ question: 'Where to?', answer: ['staging'] }],
  });
  telegram.press(message, 'production', ada);
  await waitUntil('the second press is answered', () => telegram.notices.length === 4);
  expect(telegram.notices.slice(2)).toEqual([
    'Answered: staging, by ada',
    'This was answered already by ada: staging',
  ]);
  expect(telegram.edits[0]?.text).toContain('✓ Answered: staging, by ada');
  expect(at.log.join('\n')).toContain('phone: refused what 6666 said there');
  expect(at.log.join('\n')).not.toContain(token);
});

test('a question is answered in words; an action only where it stands there whole', {
  tags: ['full'],
}, async () => {
  const { telegram, at } = await opened();
  const free = await at.work('[[ask Which name? | one | two]] [[next]] [[text Done.]]');
  telegram.reply(await telegram.message('Which name?'), 'Grace Hopper', ada);
  expect((await at.ended(free)).outcome?.result).toBe('succeeded');
  await telegram.message('Answered: Grace Hopper, by ada');

  const short = await at.work('[[tool Bash {"command":"touch made"}]] [[next]] [[text Done.]]');
  const shown = await telegram.message('touch made');
  expect(telegram.labels(shown)).toEqual(['Approve', 'Deny', 'Open']);
  telegram.press(shown, 'Approve', ada);
  expect((await at.ended(short)).outcome?.result).toBe('succeeded');

  const command = `touch ${'x'.repeat(5000)}`;
  const long = await at.work(`[[tool Bash ${JSON.stringify({ command })}]] [[next]] [[text Done.]]`);
  const prompt = await at.asked(long.threadId);
  const hidden = await telegram.message('too long to be shown here');
  expect(telegram.labels(hidden)).toEqual(['Deny', 'Open']);
  const code = hidden.text.split('\n').at(-1)?.replace('text:', 'approve:') ?? '';
  telegram.say(hidden, code, ada);
  telegram.reply(hidden, 'approve', ada);
  await telegram.message('It cannot be approved here. Open it.');
  expect(telegram.notices.at(-1)).toBe('That cannot be chosen here. Open it.');
  expect((await at.host.prompts.get(prompt.id)).state).toBe('pending');
  telegram.press(hidden, 'Deny', ada);
  expect((await at.prompt(prompt, ({ state }) => state === 'answered')).actor).toBe('user:ada');
});
