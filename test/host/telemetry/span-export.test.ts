import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TraceSpan } from '../../../src/host/telemetry/span.js';
import { SpanExport } from '../../../src/host/telemetry/span-export.js';
import { waitUntil } from '../../harness/wait-until.js';
import { openCollector } from './collector.js';

let collector: Awaited<ReturnType<typeof openCollector>>;
beforeAll(async () => {
  collector = await openCollector();
});
afterAll(async () => {
  await collector[Symbol.asyncDispose]();
});

const span: TraceSpan = {
  traceId: '0'.repeat(32),
  spanId: '1'.repeat(16),
  name: 'dispatch',
  start: 1,
  end: 2,
  attributes: {},
};
// So many are sent at once.
const batch = (given: Partial<TraceSpan> = {}) => Array.from({ length: 512 }, () => ({ ...span, ...given }));

function open({
  url = collector.url,
  headers = {},
}: {
  url?: string;
  headers?: Record<string, string>;
} = {}) {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  return { lines, spans: new SpanExport({ url, headers, source: { version: '1', resource: {} }, log }) };
}

it.each([
  ['a URL', () => ({ url: collector.url.replace('//', '//ada:s3cret@') })],
  ['a header', () => ({ headers: { authorization: 'Bearer s3cret\nx' } })],
])('says nothing of a secret in %s, and does not try again what can never succeed', async (_, given) => {
  const from = collector.requests.length;
  const { lines, spans } = open(given());
  spans.add(batch());
  await waitUntil(
    'the batch is given up',
    () => spans.counts.dropped === 512 || lines.join('').includes('s3cret'),
  );
  await spans[Symbol.asyncDispose]();
  expect(lines).toEqual([
    `the collector of traces at ${collector.url} takes none (the request cannot be sent); what it does not take is dropped`,
  ]);
  expect(collector.requests.length).toBe(from);
});

it('says by its code that the collector is away', async () => {
  const closed = await openCollector();
  await closed[Symbol.asyncDispose]();
  const { lines, spans } = open({ url: closed.url });
  spans.add(batch());
  await waitUntil('the log says so', () => lines.length > 0);
  await spans[Symbol.asyncDispose]();
  expect(lines[0]).toContain('takes none (ECONNREFUSED)');
  expect(spans.counts).toEqual({ sent: 0, dropped: 512 });
});

it('goes nowhere else with its headers', async () => {
  const from = collector.requests.length;
  collector.answers.push({ status: 307, location: `${collector.url}/elsewhere` });
  const { lines, spans } = open();
  spans.add(batch());
  await waitUntil('the log says so', () => lines.length > 0);
  await spans[Symbol.asyncDispose]();
  expect(lines[0]).toContain('takes none (it answered 307)');
  expect([collector.requests.length - from, spans.counts.dropped]).toEqual([1, 512]);
});

it('reads no answer that never ends', async () => {
  let isLeft = false;
  const server = createServer((request, response) => {
    request.resume();
    response.on('close', () => {
      isLeft = true;
    });
    const more = () => {
      while (response.write(' '.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const { spans } = open({ url: `http://127.0.0.1:${Object(address).port}` });
  spans.add(batch());
  await waitUntil('the batch counts as sent', () => spans.counts.sent === 512);
  await waitUntil('the rest is not asked for', () => isLeft);
  await spans[Symbol.asyncDispose]();
  server.close();
  await once(server, 'close');
});

it('sends a span with times that are none, or too far away', async () => {
  const from = collector.requests.length;
  const { spans } = open();
  spans.add(batch({ start: Number.NaN, end: 1e300, attributes: { cost: Number.POSITIVE_INFINITY } }));
  await waitUntil('the batch is sent', () => spans.counts.sent === 512);
  await spans[Symbol.asyncDispose]();
  const [sent] = JSON.parse(collector.requests[from]?.body ?? '').resourceSpans[0].scopeSpans[0].spans;
  expect([sent.startTimeUnixNano, sent.endTimeUnixNano, sent.attributes]).toEqual([
    '0',
    '9223372036854000000',
    [],
  ]);
});

it('goes on after a moment in which nothing waited', async () => {
  const { spans } = open();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  spans.add([]);
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  spans.add(batch());
  await waitUntil('the batch is sent', () => spans.counts.sent === 512);
  await spans[Symbol.asyncDispose]();
  spans.add([span]);
  expect(spans.counts).toEqual({ sent: 512, dropped: 1 });
});
