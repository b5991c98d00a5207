import { afterAll, beforeAll, expect, it } from 'vitest';
import { metricsText } from '../../src/http/metrics-text.js';
import { id } from '../contract/store/records.js';
import { openTestServer } from './test-server.js';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

it('metrics need a token and are text that Prometheus reads', async () => {
  const url = `${server.url}/api/v1/metrics`;
  expect((await fetch(url)).status).toBe(401);
  const reply = await fetch(url, { headers: { authorization: `Bearer ${server.token()}` } });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const lines = (await reply.text()).trimEnd().split('\n');
  const isSample = /^[a-z_]+(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? [0-9.e+-]+$/;
  expect(lines.filter((line) => !line.startsWith('# ') && !isSample.test(line))).toEqual([]);
  expect(lines).toContain('handraise_dispatches{state="queued"} 3');
  expect(lines).toContain('handraise_prompts_open 1');
});

it('readiness needs no token, and says why not', async () => {
  const ready = async () => {
    const reply = await fetch(`${server.url}/api/v1/readyz`);
    return [reply.status, await reply.json()];
  };
  expect(await ready()).toEqual([200, { ready: true }]);
  server.host.unready = 'draining';
  expect(await ready()).toEqual([503, { ready: false, why: 'draining' }]);
  server.host.unready = 'store';
  expect(await ready()).toEqual([503, { ready: false, why: 'store' }]);
  server.host.unready = null;
});

it('counts workers by how they stand, and keeps labels few and plain', () => {
  const now = Date.parse('2026-01-01T00:10:00.000Z');
  const self = worker('2026-01-01T00:00:00.000Z');
  const others = [
    worker('2026-01-01T00:09:50.000Z'),
    worker('2026-01-01T00:09:00.000Z'),
    worker('2026-01-01T00:09:50.000Z', '2026-01-01T00:09:00.000Z'),
  ];
  const text = metricsText(
    {
      dispatches: { queued: 0, running: 0, waiting: 0 },
      openPrompts: 1,
      oldestPromptAt: '2026-01-01T00:09:30.000Z',
      unsent: 0,
      workers: [self, ...others],
      self: self.id,
      usage: Array.from({ length: 80 }, (_, index) => ({
        key: `acp:${index}"\n\\`,
        usage: { inputTokens: 1, outputTokens: 2, costUsd: null },
      })),
    },
    { version: '1.2.3', now, startedAt: now - 1000, residentBytes: 5, cpuSeconds: 0.5 },
  );
  const lines = text.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'handraise_workers{state="live"} 2',
      'handraise_workers{state="silent"} 1',
      'handraise_workers{state="draining"} 1',
      'handraise_prompt_oldest_seconds 30',
      'handraise_slots 4',
      'handraise_slots_used 2',
      String.raw`handraise_cost_usd_total{runtime="acp:0\"\n\\"} 0`,
    ]),
  );
  expect(lines.filter((line) => line.startsWith('handraise_cost_usd_total{'))).toHaveLength(50);
});

function worker(heartbeatAt: string, drainingSince?: string) {
  return {
    id: id('worker'),
    name: 'w',
    epoch: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    heartbeatAt,
    underWay: 2,
    profile: { labels: [], slots: 4, sharedFolders: [] },
    ...(drainingSince === undefined ? {} : { drainingSince }),
  };
}
