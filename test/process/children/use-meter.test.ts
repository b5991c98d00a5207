import { describe, expect, it } from 'vitest';
import { UseMeter, type UseReading } from '../../../src/process/children/use-meter.js';

describe('a meter', () => {
  it('counts from what its source had counted before, and tells each piece once', () => {
    const { meter, at, follow } = scripted();
    follow({ cpuMs: 700, memoryBytes: 10 });
    at(1000, { cpuMs: 900, memoryBytes: 30 });
    meter.look();
    at(2000, { cpuMs: 950, memoryBytes: 20 });
    expect(meter.take()).toEqual({
      own: { cpuMs: 250, aliveMs: 2000, memoryByteSeconds: 50, peakMemoryBytes: 30 },
    });
    expect(meter.take()).toBeUndefined();
  });

  it('keeps the time apart in which a person was waited for', () => {
    const { meter, at, follow } = scripted();
    follow({ cpuMs: 0, memoryBytes: 10 });
    at(1000, { cpuMs: 400, memoryBytes: 10 });
    meter.turnTo(true);
    at(5000, { cpuMs: 410, memoryBytes: 10 });
    meter.turnTo(true);
    meter.turnTo(false);
    at(6000, { cpuMs: 500, memoryBytes: 10 });
    expect(meter.take()).toEqual({
      own: { cpuMs: 490, aliveMs: 2000, memoryByteSeconds: 20, peakMemoryBytes: 10 },
      asking: { cpuMs: 10, aliveMs: 4000, memoryByteSeconds: 40, peakMemoryBytes: 10 },
    });
  });

  it('adds one process to the other, and nothing for the time between them', () => {
    const { meter, at, follow } = scripted();
    follow({ cpuMs: 0, memoryBytes: 10 });
    at(1000, { cpuMs: 100, memoryBytes: 10 });
    meter.leave();
    at(9000, { cpuMs: 900, memoryBytes: 10 });
    follow({ cpuMs: 0, memoryBytes: 10 });
    at(10_000, { cpuMs: 100, memoryBytes: 10 });
    expect(meter.take()?.own).toMatchObject({ cpuMs: 200, aliveMs: 2000 });
  });

  it('takes nothing back when a process has taken its time along, and waits out what is too short to tell', () => {
    const { meter, at, follow } = scripted();
    follow({ cpuMs: 0, memoryBytes: 10 });
    at(20, { cpuMs: 300, memoryBytes: 10 });
    expect(meter.take()).toBeUndefined();
    at(100, { cpuMs: 200, memoryBytes: 10 });
    expect(meter.take()?.own).toMatchObject({ cpuMs: 300, aliveMs: 100 });
  });

  it('says nothing of what cannot be read', () => {
    const { meter, at, follow } = scripted();
    follow(null);
    at(5000, null);
    expect(meter.take(0)).toBeUndefined();
  });
});

function scripted() {
  let now = 0;
  let reading: UseReading | null = null;
  const meter = new UseMeter(() => now);
  const source = {
    get use() {
      return reading;
    },
  };
  return {
    meter,
    at: (ms: number, next: UseReading | null) => {
      now = ms;
      reading = next;
    },
    follow: (first: UseReading | null) => {
      reading = first;
      meter.follow(source);
    },
  };
}
