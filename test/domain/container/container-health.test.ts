import { expect, test } from 'vitest';
import { type ContainerHealth, healthNews } from '../../../src/domain/container/container-health.js';

const well: ContainerHealth = { isPaused: false, health: null };

test.each<[string, ContainerHealth, ContainerHealth, RegExp[]]>([
  ['nothing, while nothing changes', well, well, []],
  ['a pause', well, { ...well, isPaused: true }, [/paused/]],
  ['a pause once', { ...well, isPaused: true }, { ...well, isPaused: true }, []],
  ['the end of a pause', { ...well, isPaused: true }, well, [/resumed/]],
  ['a check that fails', { ...well, health: 'starting' }, { ...well, health: 'unhealthy' }, [/unhealthy/]],
  [
    'a check that succeeds again',
    { ...well, health: 'unhealthy' },
    { ...well, health: 'healthy' },
    [/healthy again/],
  ],
  ['no check that only begins', { ...well, health: 'unhealthy' }, { ...well, health: 'starting' }, []],
  ['a first success', { ...well, health: 'starting' }, { ...well, health: 'healthy' }, []],
  [
    'both',
    { isPaused: true, health: 'healthy' },
    { isPaused: false, health: 'unhealthy' },
    [/resumed/, /unhealthy/],
  ],
])('of a container is told %s', (_what, before, now, told) => {
  expect(healthNews(before, now)).toEqual(told.map((words) => expect.stringMatching(words)));
});
