import { expect, test } from 'vitest';
import { eventJson } from '../../src/runner/event-json.js';

const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

test('CWE-674: an event that is nested too deeply to be written is told as such, and does not stop the runner', () => {
  const event = { type: 'unrecognized', raw: nested(3) } as const;
  expect(eventJson(event)).toBe('{"type":"unrecognized","raw":[[[]]]}');
  expect(JSON.parse(eventJson({ ...event, raw: nested(100_000) }))).toEqual({
    type: 'unrecognized',
    raw: { type: 'unrecognized', error: 'It is nested too deeply to be written.' },
  });
});
