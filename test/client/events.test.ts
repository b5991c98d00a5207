import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Client, type FollowedEvent } from '../../src/client/index.js';
import { ThreadId } from '../../src/protocol/id.js';
import { broken, eventFrame, open, problem, scriptedWorker } from './scripted-worker.js';

const thread = ThreadId.parse('thr_01k00000000000000000000000');

it('asks for what follows the last event, and shows nothing twice', async () => {
  await using worker = await scriptedWorker([
    broken(eventFrame(1) + eventFrame(2)),
    // As a careless worker would: it says again what was said already.
    broken(`: heartbeat\n\n${eventFrame(2)}${eventFrame(3)}`),
    broken(`${eventFrame(4)}event: dropped\ndata: {"detail":"too slow"}\n\n${eventFrame(9)}`),
    open(eventFrame(5)),
  ]);
  const client = new Client({ url: worker.url, token: 'secret' });

  expect((await take(client.events(thread, { live: true }), 5)).map(({ seq }) => seq)).toEqual([
    1, 2, 3, 4, 5,
  ]);
  expect(worker.heard.map(({ line, headers }) => [line, headers['last-event-id']])).toEqual(
    [undefined, '2', '3', '4'].map((last) => [
      `GET /api/v1/threads/${thread}/events?after=${last ?? 0}&live=1`,
      last,
    ]),
  );
  expect(worker.heard[0]?.headers).toMatchObject({
    accept: 'text/event-stream',
    authorization: 'Bearer secret',
  });
});

it('finds a worker that moved', async () => {
  await using before = await scriptedWorker([broken(eventFrame(1))]);
  await using after = await scriptedWorker([open(eventFrame(2))]);
  const places = [before, after];
  const client = new Client({
    locate: () => {
      const place = places.length > 1 ? places.shift() : places[0];
      return Promise.resolve({ url: String(place?.url), token: 'x' });
    },
  });

  expect((await take(client.events(thread), 2)).map(({ seq }) => seq)).toEqual([1, 2]);
});

it('gives live text on, which has no place in the thread', async () => {
  const live = { type: 'text_delta', content: 'Hel' };
  await using worker = await scriptedWorker([open(eventFrame(1) + eventFrame(null, live) + eventFrame(2))]);

  const events = await take(new Client({ url: worker.url }).events(thread, { live: true }), 3);
  expect(events.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'warning'],
    [null, 'text_delta'],
    [2, 'warning'],
  ]);
});

it('tries again while a worker is not there, and tells of it', async () => {
  await using worker = await scriptedWorker([
    problem('unavailable', 503, 'Too many clients.'),
    broken(''),
    open(eventFrame(1)),
  ]);
  const breaks: (string | undefined)[] = [];
  const client = new Client({ url: worker.url });

  const stream = client.events(thread, { onBreak: (failure) => breaks.push(failure?.code) });
  expect((await take(stream, 1)).map(({ seq }) => seq)).toEqual([1]);
  expect(breaks).toEqual(['unavailable', expect.toBeOneOf(['unavailable', undefined])]);
});

it('gives up after as many failures in a row as it was told', async () => {
  await using worker = await scriptedWorker([problem('unavailable', 503, 'Not now.')]);
  const stream = new Client({ url: worker.url }).events(thread, { patience: 3 });

  await expect(take(stream, 1)).rejects.toMatchObject({ code: 'unavailable', message: 'Not now.' });
  expect(worker.heard).toHaveLength(3);
});

it('ends with a refusal that waiting cannot cure', async () => {
  await using worker = await scriptedWorker([problem('not_found', 404, 'No such thread.')]);

  await expect(take(new Client({ url: worker.url }).events(thread), 1)).rejects.toMatchObject({
    code: 'not_found',
    status: 404,
    detail: 'No such thread.',
    problem: { code: 'not_found', title: 'not_found' },
  });
});

it('ends quietly when it is called off, also between two connections', async () => {
  await using worker = await scriptedWorker([open(eventFrame(1)), problem('unavailable', 503, 'Later.')]);
  const client = new Client({ url: worker.url });
  const calledOff = new AbortController();
  const seen: unknown[] = [];
  for await (const event of client.events(thread, { signal: calledOff.signal })) {
    seen.push(event.seq);
    calledOff.abort();
  }
  const waiting = new AbortController();
  const options = { signal: waiting.signal, onBreak: () => waiting.abort() };
  for await (const event of client.events(thread, options)) seen.push(event.seq);

  expect(seen).toEqual([1]);
});

it('loses and repeats nothing, wherever a connection is cut', async () => {
  const total = 12;
  const cuts = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(cuts, fc.integer({ min: 1, max: 40 }), async (lengths, chunk) => {
      const left = [...lengths];
      const client = new Client({
        url: 'http://worker',
        fetch: (_input, init) => {
          const after = Number(new Headers(init?.headers).get('last-event-id') ?? 0);
          const frames = Array.from({ length: total - after }, (_, index) => eventFrame(after + index + 1));
          const bytes = new TextEncoder().encode(frames.join(''));
          const length = left.shift();
          return Promise.resolve(new Response(inChunks(bytes.subarray(0, length && length * 3), chunk)));
        },
      });
      const events = await take(client.events(thread), total);
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    }),
    { numRuns: 12 },
  );
});

function inChunks(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

async function take(events: AsyncIterable<FollowedEvent>, count: number): Promise<FollowedEvent[]> {
  const taken: FollowedEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}
