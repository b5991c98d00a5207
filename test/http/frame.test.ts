import { expect, it } from 'vitest';
import { eventFrame, frameOf } from '../../src/http/frame.js';

it('has a number only where the event has a place', () => {
  expect(eventFrame({ seq: 7, type: 'notice', json: '{}' }).toString()).toBe(
    'id: 7\nevent: notice\ndata: {}\n\n',
  );
  expect(eventFrame({ seq: null, type: 'text_delta', json: '{}' }).toString()).toBe(
    'event: text_delta\ndata: {}\n\n',
  );
});

it('is encoded once for all who follow', () => {
  const event = { seq: 1, type: 'notice', json: '{}' };
  expect(eventFrame(event)).toBe(eventFrame(event));
});

it('header injection: a line break in a type or in a line of a runner cannot make a field of its own', () => {
  const frame = frameOf({ id: 1, event: 'a\nid: 99', data: '{"a":\r\n\n1,\rdata: 2}' }).toString();
  expect(frame).toBe('id: 1\nevent: a id: 99\ndata: {"a": 1, data: 2}\n\n');
});
