import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NeedsInputSentinel } from '../../src/runner/needs-input-sentinel.js';

let workspace: string;
let file: string;
let sentinel: NeedsInputSentinel;

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'handraise-sentinel-'));
  mkdirSync(join(workspace, '.agora'));
  file = join(workspace, '.agora/needs_input.json');
  sentinel = new NeedsInputSentinel(file);
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const problem = (what: string) => ({
  type: 'needs_input',
  error: `The needs-input file is not valid: ${what}.`,
});

/** A JSON string of so many bytes. */
const state = (bytes: number) => 'x'.repeat(bytes - 2);

describe('a question', () => {
  test('is read whole', () => {
    const partial_state = { step: 3, nested: [1, { a: null }] };
    writeFileSync(
      file,
      JSON.stringify({
        question: 'Which?',
        options: ['a', 'b'],
        context: 'because',
        partial_state,
        extra: 1,
      }),
    );
    expect(sentinel.read()).toEqual({
      type: 'needs_input',
      question: 'Which?',
      options: ['a', 'b'],
      context: 'because',
      partialState: partial_state,
    });
  });

  test('that an earlier turn left is cleared, and none is null', () => {
    writeFileSync(file, '{"question":"old"}');
    sentinel.clear();
    expect(sentinel.read()).toBeNull();
    rmSync(join(workspace, '.agora'), { recursive: true });
    sentinel.clear();
    expect(sentinel.read()).toBeNull();
  });
});

describe('a file that is no question is said so and kept aside', () => {
  test.each([
    ['not JSON', '{"question":', 'it is not valid JSON'],
    ['a list', '["question"]', 'Invalid input: expected object, received array'],
    ['without a question', '{}', 'question: Invalid input: expected string, received undefined'],
    ['with a blank question', '{"question":" \\n"}', 'question: The question is blank'],
    [
      'too deep',
      `{"question":"q","partial_state":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'partial_state: partial_state is nested deeper than 500 levels',
    ],
  ])('%s', (_name, content, what) => {
    writeFileSync(file, content);
    expect(sentinel.read()).toEqual(problem(what));
    expect(existsSync(file)).toBe(false);
    expect(existsSync(join(workspace, '.agora/needs_input.invalid.json'))).toBe(true);
  });

  test('invalid UTF-8', () => {
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0xfe]));
    expect(sentinel.read()).toEqual(problem('it is not valid UTF-8'));
  });

  test('partial_state of 1 MiB counts, one byte more does not', () => {
    writeFileSync(file, JSON.stringify({ question: 'q', partial_state: state(1_048_576) }));
    expect(sentinel.read()?.error).toBeUndefined();
    writeFileSync(file, JSON.stringify({ question: 'q', partial_state: state(1_048_577) }));
    expect(sentinel.read()).toEqual(problem('partial_state: partial_state is larger than 1 MiB as JSON'));
  });
});

describe('hostile: nothing is followed, nothing blocks', () => {
  test('a folder that is swapped for a link in the middle of everything', async () => {
    const outside = join(workspace, 'outside');
    mkdirSync(outside);
    const secret = join(outside, 'needs_input.json');
    writeFileSync(secret, '{"question":"leaked"}');
    const swap = `for (;;) { fs.renameSync('.agora', 'real'); fs.symlinkSync('outside', '.agora'); fs.unlinkSync('.agora'); fs.renameSync('real', '.agora'); }`;
    const swapper = spawn(process.execPath, ['-e', swap], { cwd: workspace, stdio: 'ignore' });
    const link = problem('.agora is not a folder of the workspace, so it is not followed').error;
    const seen = new Set<string>();
    // Until the swapper was really there, and then long enough to meet it at every step.
    for (let turn = 0; turn < 20_000 || !seen.has(link); turn++) {
      if (turn % 3 === 0) sentinel.clear();
      const event = sentinel.read();
      seen.add(event?.question ?? event?.error ?? 'nothing');
    }
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
    expect([...seen].filter((what) => what.includes('leaked'))).toEqual([]);
    expect(readFileSync(secret, 'utf8')).toBe('{"question":"leaked"}');
    expect(readdirSync(outside)).toEqual(['needs_input.json']);
  });

  test('a bad file takes the place of what was kept before, whatever that was', () => {
    mkdirSync(join(workspace, '.agora/needs_input.invalid.json/deep'), { recursive: true });
    writeFileSync(file, 'bad');
    expect(sentinel.read()?.error).toContain('JSON');
    expect(readFileSync(join(workspace, '.agora/needs_input.invalid.json'), 'utf8')).toBe('bad');
  });

  test('a link in place of the file', () => {
    const outside = join(workspace, 'outside.json');
    writeFileSync(outside, '{"question":"leaked"}');
    symlinkSync(outside, file);
    expect(sentinel.read()).toEqual(problem('it cannot be opened (ELOOP)'));
    expect(existsSync(outside)).toBe(true);
  });

  test('a link in place of the folder', () => {
    const outside = join(workspace, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'needs_input.json'), '{"question":"leaked"}');
    rmSync(join(workspace, '.agora'), { recursive: true });
    symlinkSync(outside, join(workspace, '.agora'));
    sentinel.clear();
    expect(existsSync(join(outside, 'needs_input.json'))).toBe(true);
    expect(sentinel.read()).toEqual(
      problem('.agora is not a folder of the workspace, so it is not followed'),
    );
  });

  test('a FIFO, a folder, a sparse file of 10 GB', () => {
    execFileSync('mkfifo', [file]);
    expect(sentinel.read()).toEqual(problem('it is not a regular file'));
    sentinel.clear();
    mkdirSync(file);
    expect(sentinel.read()).toEqual(problem('it is not a regular file'));
    rmSync(join(workspace, '.agora/needs_input.invalid.json'), { recursive: true, force: true });
    sentinel.clear();
    writeFileSync(file, '');
    truncateSync(file, 10 * 1024 ** 3);
    expect(sentinel.read()).toEqual(problem('it is larger than 4194304 bytes'));
  });
});
