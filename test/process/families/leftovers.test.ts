import { expect, it } from 'vitest';
import { killLeftovers } from '../../../src/process/families/leftovers.js';
import { ProcessFamily } from '../../../src/process/families/process-family.js';
import { becomesDaemon, isLiving, newMarker, startFixture, trackPid } from '../fixture.js';

const marker = newMarker();

it('cleans up after a run of which only the marker is known', async () => {
  const { child, line } = await startFixture('leaves-daemon.sh', { [marker.name]: marker.value });
  const daemon = trackPid(line);
  await child.exited;
  await becomesDaemon(daemon, 'sleep');

  const outOfTime = await killLeftovers(new ProcessFamily({ marker }), { settleMs: 0, killMs: 0 });
  expect(outOfTime.killed).toEqual([]);
  expect(outOfTime.alive.map(({ pid }) => pid)).toEqual([daemon]);
  expect(isLiving(daemon)).toBe(true);

  const inTime = await killLeftovers(new ProcessFamily({ marker }), { settleMs: 0, killMs: 60_000 });
  expect(inTime.killed.map(({ pid }) => pid)).toEqual([daemon]);
  expect(inTime.alive).toEqual([]);
  expect(isLiving(daemon)).toBe(false);
});
