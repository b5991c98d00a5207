import { expect, it } from 'vitest';
import { afterEvent, noLiveText } from '../../src/live/live-thread-text.js';

const timestamp = '2026-01-02T03:04:05.000Z';
const after = (...events: readonly { type: string; content?: string }[]) =>
  events.reduce((live, event) => afterEvent(live, { ...event, seq: null, timestamp }), noLiveText);
const delta = (content: string) => ({ type: 'text_delta', content });

it('pieces add up until their paragraph is committed', () => {
  expect(after(delta('One.\n\nT'), delta('wo')).text).toBe('One.\n\nTwo');
  expect(after(delta('One.\n\nTwo'), { type: 'assistant_text', content: 'One.\n\n' }).text).toBe('Two');
});

it('what was missed is dropped when a paragraph says something else', () => {
  expect(after(delta('ne.'), { type: 'assistant_text', content: 'One.' }).text).toBe('');
});

it('a tool or the end of a turn ends what was being written', () => {
  expect(after({ type: 'thinking_delta', content: 'Hm' }).thinking).toBe('Hm');
  expect(after(delta('x'), { type: 'tool_start' })).toEqual(noLiveText);
  expect(after(delta('x'), { type: 'turn_complete' })).toEqual(noLiveText);
});
