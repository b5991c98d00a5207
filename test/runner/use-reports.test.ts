import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UseMeter } from '../../src/process/children/use-meter.js';
import type { EventBody } from '../../src/protocol/event.js';
import { UseReports } from '../../src/runner/use-reports.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('[event resources_used] tells once a minute what no evidence has told, and evidence takes along what was used until then', () => {
  let now = 0;
  let isAsking = false;
  const told: EventBody[] = [];
  const meter = new UseMeter(() => now);
  meter.follow({
    get use() {
      return { cpuMs: now / 10, memoryBytes: 100 };
    },
  });
  const reports = new UseReports(meter, { emit: (event) => told.push(event), isAsking: () => isAsking });
  const pass = (seconds: number) => {
    for (let each = 0; each < seconds; each += 1) {
      now += 1000;
      vi.advanceTimersByTime(1000);
    }
  };
  pass(60);
  expect(told).toEqual([
    {
      type: 'resources_used',
      used: { own: { cpuMs: 6000, aliveMs: 60_000, memoryByteSeconds: 6000, peakMemoryBytes: 100 } },
    },
  ]);
  pass(10);
  isAsking = true;
  reports.look();
  pass(20);
  const evidence = {
    type: 'status_evidence',
    fact: 'turn_ended',
    source: 'test',
    confidence: 'strong',
    at: '2026-01-02T03:04:05.678Z',
  } as const;
  expect(reports.with(evidence)).toEqual({
    ...evidence,
    used: {
      own: { cpuMs: 1000, aliveMs: 10_000, memoryByteSeconds: 1000, peakMemoryBytes: 100 },
      asking: { cpuMs: 2000, aliveMs: 20_000, memoryByteSeconds: 2000, peakMemoryBytes: 100 },
    },
  });
  expect(reports.with(evidence)).toEqual(evidence);
  expect(reports.with({ type: 'interrupted' })).toEqual({ type: 'interrupted' });
  reports.close();
});
