import { describe, expect, it } from 'vitest';
import { Refusals, type RefusedCall, wordsOfAll } from '../../../src/runtimes/opencode/refusals.js';

const refusal = (id: string, more: Partial<RefusedCall> = {}): RefusedCall => ({
  id,
  toolUseId: `call of ${id}`,
  tool: 'WebFetch',
  input: { url: id },
  message: `No ${id}.`,
  ...more,
});

describe('refusals of OpenCode', () => {
  it('wait until nothing else of their session is open, and then go together', () => {
    const refusals = new Refusals();
    for (const id of ['a', 'b', 'c']) refusals.asked('one', id);
    refusals.asked('two', 'd');
    refusals.refuse('one', refusal('a'));
    expect(refusals.closed('one', 'a')).toEqual([]);
    expect(refusals.closed('one', 'b')).toEqual([]);
    refusals.refuse('one', refusal('c'));
    expect(refusals.closed('one', 'c')).toEqual([refusal('a'), refusal('c')]);
    expect(refusals.closed('two', 'd')).toEqual([]);
    refusals.asked('one', 'e');
    expect(refusals.closed('one', 'e')).toEqual([]);
  });

  it('are not told once their turn is cut off', () => {
    const refusals = new Refusals();
    refusals.asked('one', 'a');
    refusals.refuse('one', refusal('a'));
    expect(refusals.drop()).toEqual([refusal('a')]);
    expect(refusals.drop()).toEqual([]);
    expect(refusals.closed('one', 'a')).toEqual([]);
  });

  it('tell the words of all, and which call each is about', () => {
    expect(wordsOfAll([refusal('a')])).toBe('No a.');
    expect(wordsOfAll([refusal('a'), refusal('b'), refusal('c', { tool: 'Bash' })])).toBe(
      'No a.\n\nThe call WebFetch {"url":"b"} was refused as well, for a reason of its own: No b.\n\nThe call Bash {"url":"c"} was refused as well, for a reason of its own: No c.',
    );
    const long = wordsOfAll([refusal('a'), refusal('x'.repeat(100_000), { message: 'No.' })]);
    expect(long.length).toBeLessThan(800);
  });
});
