import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { isPassingFailure } from '../../../src/runtimes/opencode/starting.js';
import { runtimeCommand } from '../../harness/runtime-install.js';
import { openStage } from '../../harness/stage.js';
import { first, textOf } from '../../runner/stable.js';
import { driveOpencode, openOpencodeStage } from './opencode-driver.js';

// As OpenCode 1.18.33 said it, ten at once on a new database.
const locked = '\u001b[91m\u001b[1mError: \u001b[0mUnexpected error\n\ndatabase is locked';
const halfMade =
  '\u001b[91m\u001b[1mError: \u001b[0mUnexpected error\n\nFailed query: \n        CREATE TABLE `workspace` (';
const taken = '\u001b[91m\u001b[1mError: \u001b[0mUnexpected error\n\nServeError';

test.each([
  ['another one makes the database', locked, true],
  ['another one made a table first', halfMade, true],
  ['the port is taken', taken, true],
  ['the settings are wrong', 'Error: Configuration is invalid at opencode.json', false],
  ['nothing was said', '', false],
])('whether a start is tried again where %s', (_, words, isPassing) => {
  expect(isPassingFailure(words)).toBe(isPassing);
});

describe('an OpenCode that ends as it starts', () => {
  it('beside another one is started again on another port, never on the one of its user', {
    tags: ['full'],
  }, async () => {
    await using stage = await openOpencodeStage();
    const { file, ports } = await failingFirst(stage, [locked, halfMade]);
    await using runner = driveOpencode(stage, { env: { HANDRAISE_OPENCODE: file } });
    expect(textOf(await runner.turn('[[text Started.]]'))).toBe('Started.');
    const chosen = ports();
    expect([chosen.length, new Set(chosen).size]).toEqual([3, 3]);
    for (const port of chosen) expect(port).toBeGreaterThanOrEqual(30_000);
  });

  it('is told of by nobody, however many begin at once in a new home', { tags: ['full'] }, async () => {
    await using stage = await openOpencodeStage();
    await Promise.all(
      Array.from({ length: 5 }, async (_, number) => {
        await using runner = driveOpencode(stage);
        expect(textOf(await runner.turn(`[[text Number ${number}.]]`))).toBe(`Number ${number}.`);
      }),
    );
  });

  it('for a reason that stays is started once', { tags: ['full'] }, async () => {
    await using stage = await openStage('opencode');
    const { file, ports } = await failingFirst(stage, ['The disk is on fire.']);
    await using runner = driveOpencode(stage, { env: { HANDRAISE_OPENCODE: file } });
    const { code, last } = await runner.end();
    expect([code, first(last, 'error').message, ports().length]).toEqual([
      1,
      'The opencode process ended unexpectedly with exit code 1: The disk is on fire.',
      1,
    ]);
  });
});

/** An OpenCode that says each of these words and ends, and then is the real one; it notes the ports that it was given. */
async function failingFirst(stage: { readonly home: string }, words: readonly string[]) {
  const [binary] = await runtimeCommand('opencode');
  const file = join(stage.home, 'failing-opencode');
  const log = join(stage.home, 'ports');
  const cases = words.map((said, index) => `${index + 1}) echo ${quoted(said)} >&2; exit 1;;`);
  writeFileSync(
    file,
    `#!/bin/sh\necho "$5" >> ${log}\ncase $(wc -l < ${log} | tr -d ' ') in\n${cases.join('\n')}\nesac\nexec ${binary} "$@"\n`,
  );
  chmodSync(file, 0o755);
  return { file, ports: () => readFileSync(log, 'utf8').trim().split('\n').map(Number) };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
