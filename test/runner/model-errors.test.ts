import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

// The runtime waits longer from retry to retry; few of them keep the test short.
const env = { CLAUDE_CODE_MAX_RETRIES: '1' };

describe('a failure of the model’s server', () => {
  it('[event auth_error] comes once per turn, at once, and the next turn can work', async () => {
    await using runner = new Driver(stage);
    const refused = await runner.turn('[[error 401 message="invalid x-api-key" times=100]]');
    const [error, ...more] = only(refused, 'auth_error');
    expect([error?.message, more]).toEqual([expect.stringContaining('ANTHROPIC_API_KEY'), []]);
    expect(first(refused, 'result')).toMatchObject({ success: false, errorKind: 'auth' });
    expect(only(refused, 'error')).toEqual([]);
    expect(only(refused, 'interrupted')).toEqual([]);
    expect(textOf(refused)).toBe('');
    // No minute of silent retries: the server saw the wrong key a few times, not ten.
    expect(stage.simulator.requests.filter(({ answer }) => answer?.status === 401).length).toBeLessThan(4);

    const works = await runner.turn('[[text Signed in.]]');
    expect([textOf(works), first(works, 'result').success]).toEqual(['Signed in.', true]);

    const again = await runner.turn('[[error 401 message="invalid x-api-key" times=100]]');
    expect(only(again, 'auth_error')).toHaveLength(1);
    runner.closeInput();
    const { code, last } = await runner.end();
    expect([code, last.at(-1)?.type]).toEqual([0, 'complete']);
  });

  it.each([
    [
      'an expired token',
      '[[error 401 type=authentication_error message="OAuth token has expired" times=100]]',
    ],
    [
      'a 403 of the login',
      '[[error 403 type=permission_error message="OAuth token has been revoked" times=100]]',
    ],
  ])('[event auth_error] tells %s', { tags: ['full'] }, async (_name, prompt) => {
    await using runner = new Driver(stage, { env });
    const turn = await runner.turn(prompt);
    expect(only(turn, 'auth_error')).toHaveLength(1);
    expect(first(turn, 'result')).toMatchObject({ success: false, errorKind: 'auth' });
  });

  it('[event auth_error] tells a missing login', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { env: { ANTHROPIC_API_KEY: undefined } });
    const turn = await runner.turn('[[text never]]');
    expect(only(turn, 'auth_error')).toHaveLength(1);
    expect(first(turn, 'result')).toMatchObject({ success: false, errorKind: 'auth' });
  });

  it.each([
    ['rate_limit', '[[error 429 message="slow down" times=100]]'],
    ['overloaded', '[[error 529 message="overloaded" times=100]]'],
    ['server', '[[error 500 message="oops" times=100]]'],
    ['invalid_request', '[[error 400 message="bad thing" times=100]]'],
    ['billing', '[[error 400 message="Your credit balance is too low to access the API." times=100]]'],
  ])('[event result] says %s', { tags: ['full'] }, async (errorKind, prompt) => {
    await using runner = new Driver(stage, { env });
    const turn = await runner.turn(prompt);
    expect(first(turn, 'result')).toMatchObject({ success: false, errorKind });
    expect(first(turn, 'result').errors).toEqual([expect.stringMatching(/\S/)]);
    expect(only(turn, 'auth_error')).toEqual([]);
    expect(only(turn, 'assistant_text')).toEqual([]);
    expect(first(await runner.turn('[[text fine]]'), 'result')).toMatchObject({ success: true });
  });

  it('[event warning] tells each retry, and the turn succeeds', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    const turn = await runner.turn('[[error 529 message="overloaded" times=2]] [[text Finally.]]');
    expect(only(turn, 'warning').map(({ message }) => message)).toEqual([
      expect.stringMatching(/529.*retry 1 of/),
      expect.stringMatching(/529.*retry 2 of/),
    ]);
    expect([textOf(turn), first(turn, 'result').success]).toEqual(['Finally.', true]);
  });

  it('that breaks the stream off neither repeats nor loses text', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    const said = 'The whole answer at last.';
    for (const fault of ['cut', 'malformed']) {
      // After 1 event the message has begun, after 3 and 4 its text is being written: it is asked for again.
      for (const events of [1, 3, 4]) {
        const turn = await runner.turn(`[[${fault} ${events} times=1]] [[text ${said}]]`);
        expect([fault, events, textOf(turn)]).toEqual([fault, events, said]);
      }
      // After 5 the text is whole: the runtime keeps it and asks the model to go on from there.
      const turn = await runner.turn(`[[${fault} 5 times=1]] [[text ${said}]]`);
      expect([fault, textOf(turn).startsWith(said)]).toEqual([fault, true]);
    }
  });

  it('[event unrecognized] never comes from a runtime that we know', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    const turn = await runner.turn('[[stop max_tokens]] [[text Cut]]');
    expect(only(turn, 'unrecognized')).toEqual([]);
    const refused = await runner.turn('[[stop refusal]] [[text I cannot.]]');
    expect(only(refused, 'unrecognized')).toEqual([]);
  });
});
