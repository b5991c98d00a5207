import { expect, it } from 'vitest';
import { currentWork } from '../../../src/domain/dispatch/current-work.js';
import type { DispatchState } from '../../../src/protocol/dispatch.js';

it.each<[readonly DispatchState[], number | undefined]>([
  [[], undefined],
  [['ended'], undefined],
  [['queued', 'queued'], 0],
  [['running', 'queued'], 0],
  [['waiting', 'queued', 'queued'], 0],
  [['queued', 'running'], 1],
])('of %j it is number %s', (states, place) => {
  const works = states.map((state) => ({ state }));
  expect(currentWork(works)).toBe(place === undefined ? undefined : works[place]);
});
