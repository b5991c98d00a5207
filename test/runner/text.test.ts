import { array, assert, asyncProperty, constantFrom, integer, nat, oneof, string } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../../src/protocol/event.js';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash } from './prompting.js';
import { only, textOf } from './stable.js';

let stage: Stage;
let runner: Driver;
beforeAll(async () => {
  stage = await openStage('claude');
  runner = new Driver(stage);
});
afterAll(async () => {
  await runner[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

/** A turn in which the model says exactly this, in pieces of this size. */
async function say(text: string, chunk?: number): Promise<Event[]> {
  stage.simulator.setScript({ replies: [{ blocks: [chunk === undefined ? { text } : { text, chunk }] }] });
  return await runner.turn('Speak.');
}

const paragraphs = (events: readonly Event[]) => only(events, 'assistant_text').map(({ content }) => content);

describe('the text of the model', () => {
  it('goes out by whole paragraphs', async () => {
    expect(paragraphs(await say('One.\n\nTwo,\nstill two.\n\n\nThree.', 3))).toEqual([
      'One.\n\n',
      'Two,\nstill two.\n\n\n',
      'Three.',
    ]);
    expect(paragraphs(await say('One.\r\n\r\nTwo.\r\n', 1))).toEqual(['One.\r\n\r\n', 'Two.\r\n']);
    expect(paragraphs(await say('```\ncode\n   \nmore\n```', 2))).toEqual(['```\ncode\n   \n', 'more\n```']);
  });

  it('is flushed at a tool start, so that it stands before it', async () => {
    stage.simulator.setScript({ replies: [] });
    const turn = await runner.turn(`[[text I look.]] ${bash('echo x')} [[next]] [[text Seen.]]`);
    const order = turn.filter(({ type }) => ['assistant_text', 'tool_start'].includes(type));
    expect(order.map((event) => (event.type === 'assistant_text' ? event.content : event.type))).toEqual([
      'I look.',
      'tool_start',
      'Seen.',
    ]);
  });

  it('never waits past 4,096 characters', async () => {
    const lines = `${'x'.repeat(999)}\n`.repeat(10);
    const byLine = await say(lines, 500);
    expect([textOf(byLine) === lines, paragraphs(byLine).map(({ length }) => length)]).toEqual([
      true,
      [4000, 4000, 2000],
    ]);
    const hard = await say('y'.repeat(10_000), 4096);
    expect(paragraphs(hard).map(({ length }) => length)).toEqual([4096, 4096, 1808]);
  });

  it('keeps an emoji whole at the 4,096th character', async () => {
    for (const before of [4094, 4095, 4096]) {
      const text = `${'z'.repeat(before)}👩‍🚀${'z'.repeat(100)}`;
      const turn = await say(text, 1000);
      expect(textOf(turn)).toBe(text);
      for (const part of paragraphs(turn)) expect(part).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('comes back exactly from 5,000 deltas and from a paragraph of 1 MB', async () => {
    stage.simulator.setScript({ replies: [{ blocks: [{ text: 'tick \n', repeat: 5000 }] }] });
    const ticks = await runner.turn('Speak.');
    expect(textOf(ticks) === 'tick \n'.repeat(5000)).toBe(true);
    expect(only(ticks, 'text_delta').length).toBeGreaterThan(100);

    const huge = 'abcdefghij'.repeat(104_858);
    const turn = await say(huge, 65_536);
    expect(textOf(turn) === huge).toBe(true);
    expect(Math.max(...paragraphs(turn).map(({ length }) => length))).toBe(4096);
  });

  it('comes back exactly, whatever it is', { tags: ['full'] }, async () => {
    const piece = oneof(
      string({ unit: 'grapheme', maxLength: 30 }),
      constantFrom('\n\n', '\r\n', '\r\n\r\n', '\n', ' \n \n', '\t', '\u2028', '```', 'é', '👍🏽', '\\', '"'),
      nat(3000).map((length) => 'w'.repeat(length)),
    );
    const texts = array(piece, { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join(''))
      .filter((text) => text.trim() !== '');
    await assert(
      asyncProperty(texts, integer({ min: 1, max: 600 }), async (text, chunk) => {
        const turn = await say(text, chunk);
        expect(textOf(turn)).toBe(text);
        expect(
          only(turn, 'text_delta')
            .map(({ content }) => content)
            .join(''),
        ).toBe(text);
      }),
      { numRuns: 25 },
    );
  });

  it('[event thinking_start] [event thinking_delta] [event thinking] tells thoughts apart from text', async () => {
    stage.simulator.setScript({ replies: [] });
    const turn = await runner.turn('[[think "First this.\\n\\nThen that."]] [[text Done.]]');
    expect(
      turn
        .filter(({ type }) => ['thinking_start', 'thinking', 'assistant_text'].includes(type))
        .map((event) => [event.type, 'content' in event ? event.content : null]),
    ).toEqual([
      ['thinking_start', null],
      ['thinking', 'First this.\n\nThen that.'],
      ['assistant_text', 'Done.'],
    ]);
    expect(
      only(turn, 'thinking_delta')
        .map(({ content }) => content)
        .join(''),
    ).toBe('First this.\n\nThen that.');
  });
});
