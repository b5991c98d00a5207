import { afterAll, beforeAll, expect, it } from 'vitest';
import { SpanExport } from '../../../src/host/telemetry/span-export.js';
import { Telemetry, type TelemetryParts } from '../../../src/host/telemetry/telemetry.js';
import type { Store } from '../../../src/store/store.js';
import { Subscription } from '../../../src/store/subscription.js';
import type { StorePlace } from '../../contract/store/place.js';
import { aDispatch, aThread, done, id, succeeded } from '../../contract/store/records.js';
import { sqlitePlace } from '../../store/sqlite/place.js';
import { openCollector } from './collector.js';

let place: StorePlace;
let store: Store;
let collector: Awaited<ReturnType<typeof openCollector>>;
beforeAll(async () => {
  place = await sqlitePlace();
  store = await place.open();
  collector = await openCollector();
});
afterAll(async () => {
  await store.close();
  await place.remove();
  await collector[Symbol.asyncDispose]();
});

const log = () => {};

/** Telemetry that hears what the test says. */
function open(query: TelemetryParts['store']['query']) {
  const heard = new Subscription({ filter: {}, onClose: () => {} });
  const source = { version: '1', resource: {} };
  const spans = new SpanExport({ url: collector.url, headers: {}, source, log });
  const told = { query, subscribe: () => heard };
  const telemetry = new Telemetry({ store: told, clock: { now: Date.now }, spans, withTexts: false, log });
  return { telemetry, heard };
}

it('tells at its end what was committed just before, and counts the turns of a try whose beginning is not found', async () => {
  const thread = await aThread(store);
  const now = new Date().toISOString();
  const { id: dispatchId } = await aDispatch(store, thread.id, { createdAt: now });
  await done(store, [{ do: 'startAttempt', dispatchId, at: now }]);
  await done(store, [
    { do: 'endAttempt', dispatchId, attempt: 1, at: now, outcome: succeeded },
    { do: 'patchDispatch', dispatchId, patch: { state: 'ended', outcome: succeeded, endedAt: now } },
  ]);
  const { telemetry, heard } = open(async (name, input) => await store.query(name, input));
  heard.publish({ topic: 'dispatch', threadId: thread.id, dispatchId });
  await telemetry[Symbol.asyncDispose]();
  expect(collector.spans.map(({ name }) => name)).toEqual(['attempt 1', 'dispatch']);
  expect(telemetry.counts).toEqual({ sent: 2, dropped: 1 });
});

it('ends although the store answers no more, and counts what it could not tell', async () => {
  const { telemetry, heard } = open(async () => await new Promise<never>(() => {}));
  const threadId = id('thread');
  for (const dispatchId of [id('dispatch'), id('dispatch')])
    heard.publish({ topic: 'dispatch', threadId, dispatchId });
  heard.publish({ topic: 'prompt', threadId, promptId: id('prompt') });
  await telemetry[Symbol.asyncDispose]();
  expect(telemetry.counts).toEqual({ sent: 0, dropped: 3 });
});
