import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { webhookSignature } from '../../../src/host/notify/webhook.js';
import { DispatchId } from '../../../src/protocol/id.js';
import { aThread, at, done, id, newPrompt } from '../../contract/store/records.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type Call, openReceiver } from './receiver.js';
import { asking, channel, ending, promptId, question, secret } from './samples.js';
import { SenderStage } from './sender-stage.js';

const asks = asking([question('Where to?')]);

function webhook(url: string, given: object = {}) {
  return channel({ type: 'webhook', url, secret, allowPrivate: true, ...given });
}

/** The end of the work with this number. */
function endOf(number: number) {
  return { ...ending(), dispatchId: DispatchId.parse(`dsp_${String(number).padStart(26, '0')}`) };
}

function idsOf(calls: readonly Call[]) {
  return calls.map(({ headers }) => headers['webhook-id']);
}

test('a webhook gets what was put, signed, and once', async () => {
  const receiver = await openReceiver();
  const stage = await SenderStage.open([webhook(`${receiver.url}/in`)]);
  await stage.say(asks);
  stage.wake();
  await stage.untilAllSent();

  const [call] = receiver.calls;
  const timestamp = stage.now / 1000;
  const webhookId = `asked-${promptId}-ops`;
  expect(call?.headers).toMatchObject({
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': webhookSignature({ secret, id: webhookId, timestamp, body: call?.body ?? '' }),
  });
  expect(JSON.parse(call?.body ?? '')).toMatchObject({
    type: 'com.handraise.prompt.asked',
    subject: promptId,
  });
  expect(receiver.calls.length).toBe(1);
  expect(stage.log).toEqual([]);
});

test('a question is one page, however often it is put', async () => {
  const receiver = await openReceiver();
  const stage = await SenderStage.open([webhook(receiver.url)]);
  await stage.say(asks, asks);
  stage.wake();
  await stage.untilAllSent();
  stage.now += 3_600_000;
  await stage.say(asks);
  await stage.say(endOf(1));
  stage.wake();
  await stage.untilAllSent();

  expect(idsOf(receiver.calls)).toEqual([`asked-${promptId}-ops`, `finished-${endOf(1).dispatchId}-ops`]);
});

test('every kind of channel is served', async () => {
  const receiver = await openReceiver();
  const stage = await SenderStage.open([
    webhook(`${receiver.url}/webhook`),
    channel({ type: 'ntfy', name: 'phone', url: `${receiver.url}/topic`, allowPrivate: true }),
    channel({ type: 'slack', name: 'chat', url: `${receiver.url}/slack`, allowPrivate: true }),
    channel({ type: 'bell', name: 'bell' }),
  ]);
  await stage.say(asks);
  stage.wake();
  await stage.untilAllSent();

  const bodies = Object.fromEntries(receiver.calls.map(({ path, body }) => [path, JSON.parse(body)]));
  expect(bodies).toMatchObject({
    '/webhook': { specversion: '1.0' },
    '/': { topic: 'topic', message: 'Where to?' },
    '/slack': { text: '*Question: Ship it*\nWhere to?' },
  });
  expect(receiver.calls.length).toBe(3);
  expect(stage.bells).toBe(1);
});

describe('what fails', () => {
  test('is tried again after twice the time, up to an hour, and given up after a day', async () => {
    const receiver = await openReceiver((response) => response.writeHead(503).end());
    const stage = await SenderStage.open([webhook(`${receiver.url}/hunter2`)]);
    await stage.say(asks);
    const delays: number[] = [];
    const began = stage.now;
    for (let tries = 1; ; tries += 1) {
      stage.wake();
      await waitUntil(
        `try ${tries} is over`,
        async () =>
          receiver.calls.length === tries && !(await stage.waiting()).some((e) => stage.isClaimed(e)),
      );
      if ((await stage.waiting()).length === 0) break;
      const delay = await stage.untilPostponed();
      delays.push(delay);
      stage.now += delay * 1000;
    }

    const doubling = Array.from({ length: 12 }, (_, tries) => 2 ** tries);
    expect(delays).toEqual([...doubling, ...Array.from({ length: 22 }, () => 3600)]);
    expect((stage.now - began) / 3_600_000).toBeGreaterThan(23);
    expect(new Set(idsOf(receiver.calls))).toEqual(new Set([`asked-${promptId}-ops`]));
    expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(35);
    expect(stage.log).toEqual([
      'Notifications do not reach ops: it answered 503.',
      `Notification asked-${promptId}-ops was given up: ops could not be reached for a day.`,
    ]);
  });

  test('waits as long as the receiver wants, if that is longer', async () => {
    const answers = ['30', '999999', '0'];
    const receiver = await openReceiver((response) =>
      response.writeHead(429, { 'retry-after': answers.shift() ?? '0' }).end(),
    );
    const stage = await SenderStage.open([webhook(receiver.url)]);
    await stage.say(asks);
    const delays: number[] = [];
    for (let tries = 1; tries <= 3; tries += 1) {
      stage.wake();
      await waitUntil(`try ${tries} came`, () => receiver.calls.length === tries);
      delays.push(await stage.untilPostponed());
      stage.now += (delays.at(-1) ?? 0) * 1000;
    }

    expect(delays).toEqual([30, 3600, 4]);
  });

  test('for want of an answer is tried again', async () => {
    const answers = [() => {}, (response: ServerResponse) => void response.writeHead(204).end()];
    const receiver = await openReceiver((response) => answers.shift()?.(response));
    const stage = await SenderStage.open([webhook(receiver.url)], { timeoutMs: 300 });
    await stage.say(asks);
    stage.wake();
    expect(await stage.untilPostponed()).toBe(1);
    stage.now += 1000;
    stage.wake();
    await stage.untilAllSent();

    expect(idsOf(receiver.calls)).toEqual([`asked-${promptId}-ops`, `asked-${promptId}-ops`]);
    expect(stage.log).toEqual(['Notifications do not reach ops: it did not answer in time.']);
  });

  test('for good is not tried again', async () => {
    const receiver = await openReceiver((response) => response.writeHead(410).end());
    const stage = await SenderStage.open([webhook(receiver.url)]);
    await stage.say(asks);
    stage.wake();
    await stage.untilAllSent();

    expect(receiver.calls.length).toBe(1);
    expect(stage.log).toEqual(['Notifications do not reach ops: it answered 410.']);
  });

  test('is not called private without leave', async () => {
    const stage = await SenderStage.open([webhook('https://127.0.0.1:1/', { allowPrivate: false })]);
    await stage.say(asks);
    stage.wake();

    expect(await stage.untilPostponed()).toBe(1);
    expect(stage.log).toEqual([
      'Notifications do not reach ops: its host is in a private network or a reserved range.',
    ]);
  });

  test('for want of a program is said once', async () => {
    const stage = await SenderStage.open([channel({ type: 'desktop', name: 'screen' })]);
    await stage.say(asks, endOf(1), endOf(2));
    stage.wake();
    await stage.untilAllSent();

    expect(stage.log).toEqual(['Notifications do not reach screen: notify-send was not found.']);
  });

  test('is said again when it comes back', async () => {
    const answers = [500, 204, 500];
    const receiver = await openReceiver((response) => response.writeHead(answers.shift() ?? 204).end());
    const stage = await SenderStage.open([webhook(receiver.url)]);
    for (const number of [1, 2]) {
      await stage.say(endOf(number));
      stage.wake();
      await stage.untilPostponed();
      stage.now += 1000;
      stage.wake();
      await stage.untilAllSent();
    }

    const line = 'Notifications do not reach ops: it answered 500.';
    expect(stage.log).toEqual([line, line]);
  });

  test('is forgotten when its question has been answered meanwhile', async () => {
    const receiver = await openReceiver((response) => response.writeHead(500).end());
    const stage = await SenderStage.open([webhook(receiver.url)]);
    const thread = await aThread(stage.store);
    const prompt = newPrompt(thread.id, { id: promptId });
    await done(stage.store, [{ do: 'openPrompt', prompt }]);
    await stage.say(asks);
    stage.wake();
    await stage.untilPostponed();
    const answers = [{ question: 'Where?', answer: ['here'] }];
    await done(stage.store, [{ do: 'acceptAnswer', promptId, actor: 'user:owner', at: at(1), answers }]);
    stage.now += 1000;
    stage.wake();
    await waitUntil(
      'nothing is to be sent',
      async () => receiver.calls.length > 1 || (await stage.waiting()).length === 0,
    );

    expect(receiver.calls.length).toBe(1);
  });
});

test('what was being sent by a worker that was killed is sent again, under the same id', {
  tags: ['full'],
}, async () => {
  const held: ServerResponse[] = [];
  const receiver = await openReceiver((response) => {
    if (held.length === 0) held.push(response);
    else response.writeHead(204).end();
  });
  const stage = await SenderStage.open([webhook(receiver.url)]);
  await stage.say(asks);
  const given = {
    file: stage.place.file,
    worker: { id: id('worker'), name: 'killed', startedAt: at(0) },
    channels: stage.channels,
    now: stage.now,
  };
  const program = fileURLToPath(new URL('./fixtures/sends.js', import.meta.url));
  await stage.lend(async () => {
    const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    await waitUntil('it was sent', () => held.length === 1 || child.exitCode !== null);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  const claimed = await stage.waiting();
  expect(claimed.map((entry) => [entry.tries, stage.isClaimed(entry)])).toEqual([[1, true]]);
  stage.now += 60_000;
  stage.wake();
  await stage.untilAllSent();

  const [first, second, ...more] = receiver.calls;
  expect(idsOf(receiver.calls)).toEqual([`asked-${promptId}-ops`, `asked-${promptId}-ops`]);
  expect(second?.body).toBe(first?.body);
  expect(more).toEqual([]);
});

test('a channel that hangs does not hold up the others', async () => {
  const held: ServerResponse[] = [];
  const receiver = await openReceiver((response) => void held.push(response));
  const stage = await SenderStage.open([webhook(receiver.url), channel({ type: 'bell', name: 'bell' })]);
  await stage.say(endOf(1));
  stage.wake();
  await waitUntil('it was sent', () => held.length === 1);
  await stage.say(endOf(2));
  stage.wake();
  await waitUntil('the bell rang twice', () => stage.bells === 2);

  expect((await stage.waiting()).length).toBe(2);
  for (const response of held) response.writeHead(204).end();
  await waitUntil('the second one was sent', () => {
    for (const response of held) if (!response.headersSent) response.writeHead(204).end();
    return held.length === 2;
  });
  await stage.untilAllSent();
});

test('many are sent a few at a time', async () => {
  let now = 0;
  let most = 0;
  const receiver = await openReceiver((response) => {
    now += 1;
    most = Math.max(most, now);
    response.on('close', () => {
      now -= 1;
    });
    setImmediate(() => response.writeHead(204).end());
  });
  const stage = await SenderStage.open([webhook(receiver.url)]);
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  await stage.say(...numbers.map(endOf));
  stage.wake();
  await stage.untilAllSent();

  expect(receiver.calls.length).toBe(numbers.length);
  expect(new Set(idsOf(receiver.calls))).toEqual(
    new Set(numbers.map((number) => `finished-${endOf(number).dispatchId}-ops`)),
  );
  expect(most).toBeLessThanOrEqual(4);
});

test('a channel that hangs delays no other', { tags: ['full'] }, async () => {
  const hung = await openReceiver(() => {});
  const healthy = await openReceiver();
  const stage = await SenderStage.open([
    webhook(hung.url, { name: 'hung' }),
    webhook(healthy.url, { name: 'healthy' }),
  ]);
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  await stage.say(...numbers.map(endOf));
  stage.wake();
  await waitUntil('the healthy channel has all of them', () => healthy.calls.length === numbers.length);
  expect(hung.calls.length).toBe(4);
});

test('what is meant for a channel that is no more is dropped', async () => {
  const stage = await SenderStage.open([]);
  const entry = { id: 'x', kind: 'notification', payload: { odd: true }, dueAt: at(0) };
  await done(stage.store, [{ do: 'putOutbox', entry }]);
  stage.wake();
  await stage.untilAllSent();

  expect(stage.log).toEqual(['Notification x was dropped: its channel is not in the settings any more.']);
});

describe('closing', () => {
  test('waits for what is under way', async () => {
    const held: ServerResponse[] = [];
    const receiver = await openReceiver((response) => void held.push(response));
    const stage = await SenderStage.open([webhook(receiver.url)]);
    await stage.say(asks);
    stage.wake();
    await waitUntil('it was sent', () => held.length === 1);
    const left = stage.leave();
    held[0]?.writeHead(204).end();
    await left;

    expect(await stage.waiting()).toEqual([]);
  });

  test('does not wait for ever, and what it cut off is due again', { tags: ['full'] }, async () => {
    const receiver = await openReceiver(() => {});
    const stage = await SenderStage.open([webhook(receiver.url)]);
    await stage.say(asks);
    stage.wake();
    await waitUntil('it was sent', () => receiver.calls.length === 1);
    await stage.leave();

    expect(await stage.untilPostponed()).toBe(1);
  });

  test('sends nothing afterwards', async () => {
    const stage = await SenderStage.open([channel({ type: 'bell', name: 'bell' })]);
    stage.wake();
    await stage.leave();
    await stage.say(asks);

    expect(stage.bells).toBe(0);
    expect((await stage.waiting()).length).toBe(1);
  });
});
