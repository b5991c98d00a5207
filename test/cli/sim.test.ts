import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSimulator } from '../../src/simulator/index.js';

const program = new URL('../../bin/handraise.js', import.meta.url).pathname;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handraise-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each(['SIGINT', 'SIGTERM'] as const)('serves until %s', async (signal) => {
  const script = join(folder, 'replies.yaml');
  const log = join(folder, `${signal}.jsonl`);
  await writeFile(script, 'replies: [{ blocks: [{ text: from a file }] }]');
  const child = start(['sim', '--port', '0', '--script', script, '--log', log, '--json']);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, pid } = JSON.parse(String(line));

  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'from a file' } }] });
  expect(pid).toBe(child.pid);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(JSON.parse(await readFile(log, 'utf8'))).toMatchObject({ path: '/v1/chat/completions' });
});

it('prints what points an agent at it', async () => {
  const home = join(folder, "it's home");
  const { code, stdout } = await run(['sim', 'env', 'codex', '--url', 'http://127.0.0.1:1', '--home', home]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`export CODEX_HOME='${folder}/it'\\''s home/.codex'\n`),
  ]);
  expect(await readFile(join(home, '.codex/config.toml'), 'utf8')).toContain(
    'base_url = "http://127.0.0.1:1/v1"',
  );
});

it('prints the same as JSON', async () => {
  const home = join(folder, 'json-home');
  const { code, stdout } = await run(['sim', 'env', 'claude', '--home', home, '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({
      home,
      env: expect.objectContaining({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:4010' }),
    }),
  ]);
});

it.each([
  [['--port', '4377', 'env', 'claude']],
  [['env', 'claude', '--port', '4377']],
  [['env', '-p4377', 'claude']],
])('prints the port that %j names', async (args) => {
  const { code, stdout } = await run(['sim', ...args, '--home', join(folder, 'port-home')]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("ANTHROPIC_BASE_URL='http://127.0.0.1:4377'")]);
});

it.each([
  [['env', 'claude', '--port', '4377', '--url', 'http://127.0.0.1:1'], 'Give --url or --port, not both.'],
  [['env', 'claude', '--port', '0'], 'Give the port that the simulator has printed'],
  [['env', 'claude', '--log', 'requests.jsonl'], 'sim env has no option --log.'],
  [['--tour', 'env', 'claude'], 'sim env has no option --tour.'],
  [['schema', '--port', '4377'], 'sim schema has no option --port.'],
])('refuses what means nothing there: %j', async (args, sentence) => {
  expect(await run(['sim', ...args])).toEqual(failure(64, sentence));
});

it('prints the JSON Schema of a script', async () => {
  const { code, stdout } = await run(['sim', 'schema']);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ title: 'Handraise simulator script' }),
  ]);
});

it('says what is wrong and exits with the code for it', async () => {
  const broken = join(folder, 'broken.json');
  await writeFile(broken, '{"replies":[{"blocks":[{"tool":"Bash","inptu":{}}]}]}');
  await using taken = await startSimulator();
  const missing = join(folder, 'none.yaml');

  expect(await run(['sim', '--script', missing])).toEqual(failure(66, `Cannot read the script ${missing}`));
  expect(await run(['sim', '--script', broken])).toEqual(
    failure(65, `${broken}: replies[0].blocks[0]: Unrecognized key: "inptu"\n`),
  );
  expect(await run(['sim', '--port', String(taken.port)])).toEqual(
    failure(69, `Port ${taken.port} is in use. Choose another with --port; 0 picks a free one.\n`),
  );
  expect(await run(['sim', '--port', 'high'])).toEqual(
    failure(64, 'The port must be a number from 0 to 65535.'),
  );
  expect(await run(['sim', '--nonsense'])).toEqual(failure(64, "unknown option '--nonsense'"));
  expect(await run(['sin'])).toEqual(failure(64, "unknown command 'sin'\n(Did you mean sim?)"));
  expect(await run(['sim', 'env', 'emacs'])).toEqual(failure(64, 'Allowed choices are claude, codex'));
});

it('knows its version and shows help', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect(await run(['sim', '--help'])).toEqual({
    code: 0,
    stdout: expect.stringContaining('Examples:'),
    stderr: '',
  });
});

function failure(code: number, message: string) {
  return {
    code,
    stdout: '',
    stderr: expect.toSatisfy((said: string) => said.startsWith('handraise: ') && said.includes(message)),
  };
}

function start(args: string[]) {
  return spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function run(args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = start(args);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: Number(code), stdout, stderr };
}
