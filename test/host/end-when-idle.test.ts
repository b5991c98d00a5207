import { expect, it } from 'vitest';
import { endWhenIdle } from '../../src/host/end-when-idle.js';
import { Failure } from '../../src/protocol/failure.js';

it('looks for nothing more once the worker ends, though its store is closed by then', async () => {
  const ending = new AbortController();
  const looks: string[] = [];
  const host = {
    hasWork: () => {
      looks.push('asked');
      ending.abort();
      return Promise.reject(new Failure('unavailable', 'The store is closed.'));
    },
    stopAgents: () => Promise.reject(new Error('nobody asked for that')),
  };
  await endWhenIdle(host, ending, { withdraw: () => looks.push('withdrawn'), repeat: () => {} });
  expect(looks).toEqual(['asked']);
});

it('hides no failure of a worker that goes on', async () => {
  const host = {
    hasWork: () => Promise.reject(new Error('the disk is full')),
    stopAgents: () => Promise.resolve(),
  };
  const quiet = { withdraw: () => {}, repeat: () => {} };
  await expect(endWhenIdle(host, new AbortController(), quiet)).rejects.toThrow('the disk is full');
});
