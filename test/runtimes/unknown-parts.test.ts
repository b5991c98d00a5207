import { expect, test } from 'vitest';
import { UnknownParts, unrecognized } from '../../src/runtimes/unrecognized.js';

const part = (kind: string, raw: unknown = kind) => ({ kind, message: '', raw });

test('each unknown kind is told once per message, and an agent that makes up kinds is not heard for ever', () => {
  const parts = new UnknownParts();
  expect(parts.tell(part('a'))).toEqual([{ type: 'unrecognized', raw: 'a' }]);
  expect(parts.tell(part('a'))).toEqual([]);
  const told = Array.from({ length: 1000 }, (_, index) => parts.tell(part(`kind ${index}`))).flat();
  expect([told.length, told.at(-1)]).toEqual([
    100,
    { type: 'unrecognized', raw: { error: 'More than 100 kinds are unknown; the rest is left out.' } },
  ]);
  parts.turnBegins();
  expect(parts.tell(part('a'))).toHaveLength(1);
});

test('what is long is told by its beginning, and what is nested too deeply as that', () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  expect(unrecognized(deep).raw).toEqual({ error: 'It is nested too deeply to be written.' });
  expect(String(unrecognized('x'.repeat(50_000)).raw)).toHaveLength(16_384);
  expect(unrecognized(undefined).raw).toBeUndefined();
});
