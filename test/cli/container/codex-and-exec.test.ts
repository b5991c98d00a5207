// @module-tag full
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { type ContainerEngine, openEngine, whyNoEngine } from '../../harness/container-engine.js';
import { waitUntil } from '../../harness/wait-until.js';
import { shell } from '../../runtimes/codex/codex-driver.js';
import { type CliStage, openCliStage } from '../cli-stage.js';
import { npmVariables } from './npm-variables.js';
import { takeOver } from './take-over.js';

test.runIf(whyNoEngine !== undefined)(
  `Codex and commands in a container (skipped: ${whyNoEngine})`,
  () => {},
);

const Pin = z.object({ dependencies: z.object({ '@openai/codex': z.string() }) });
const pin = new URL('../../harness/runtimes/codex/package.json', import.meta.url);

describe.skipIf(whyNoEngine !== undefined)('in a container', () => {
  let engine: ContainerEngine;
  let cli: CliStage;
  beforeAll(async () => {
    engine = await openEngine();
    cli = await openCliStage('codex');
    const { url } = cli.stage.simulator;
    Object.assign(cli.env, engine.env, { OPENAI_BASE_URL: url });
    const { dependencies } = Pin.parse(JSON.parse(readFileSync(pin, 'utf8')));
    const version = dependencies['@openai/codex'];
    const base = ['--base', engine.base];
    for (const more of [
      ['codex', ...base, '--agent-version', version],
      ['exec', ...base],
    ])
      expect(
        await cli.start(['container', 'build', ...more], { env: npmVariables() }).finished,
      ).toMatchObject({
        code: 0,
      });
    const home = join(cli.home, 'containers/home/codex/.codex');
    mkdirSync(home, { recursive: true });
    const settings = readFileSync(join(cli.stage.env['CODEX_HOME'] ?? '', 'config.toml'), 'utf8');
    // A person has said before that the folder is trusted; Codex asks for it in its terminal program.
    const trusted = '\n[projects."/workspace"]\ntrust_level = "trusted"\n';
    writeFileSync(join(home, 'config.toml'), settings.replace(url, 'http://127.0.0.1:4010') + trusted);
  }, 400_000);
  afterAll(async () => {
    await cli[Symbol.asyncDispose]();
    expect(await engine.docker('ps', '--all', '--quiet')).toBe('');
    await engine[Symbol.asyncDispose]();
  });

  it('Codex works in /workspace, asks by file, and goes on in its session', async () => {
    const ask = `mkdir -p .agora && echo '{"question":"Which colour?"}' > .agora/needs_input.json; pwd`;
    const run = cli.start(codex(`${shell(ask)} [[next]] [[text Waiting.]]`));
    let prompt = '';
    await waitUntil('a question is asked', async () => {
      prompt = (await cli.run('inbox', '-q')).stdout.trim();
      return prompt !== '';
    });
    expect((await cli.run('answer', prompt, '[[text Over.]]')).code).toBe(0);
    expect((await run.finished).code).toBe(0);
    const last = JSON.stringify(cli.stage.simulator.requests.at(-1)?.conversation);
    expect(last).toContain('/workspace');
    expect(last).toContain('Waiting.');
  });

  it('Codex is taken over in a terminal and given back with what was said', async () => {
    expect((await cli.run(...codex('[[text Said by the worker.]]'))).code).toBe(0);
    await takeOver(cli, {
      ready: 'worker.]]',
      leave: '/quit',
      savedIn: join(cli.home, 'containers/home/codex/.codex/sessions'),
    });
  });

  it('leaves nothing when the program of a terminal is killed', async () => {
    expect((await cli.run(...codex('[[text Said by the worker.]]'))).code).toBe(0);
    const terminal = cli.onTerminal(['attach', 'last'], { columns: 120, rows: 40, env: cli.env });
    await terminal.saying('Leave the program');
    let runner = '';
    await waitUntil('its container runs', async () => {
      runner = spawnSync('pgrep', ['-f', `handraise-runner.*${cli.home}.*--terminal`], {
        encoding: 'utf8',
      }).stdout;
      return runner !== '' && (await engine.docker('ps', '--quiet')) !== '';
    });
    process.kill(Number(runner.trim().split('\n').at(-1)), 'SIGKILL');
    await terminal.finished;
    await waitUntil(
      'the container is gone',
      async () => (await engine.docker('ps', '--all', '--quiet')) === '',
    );
    const folder = join(cli.home, 'containers');
    expect([readdirSync(folder), readdirSync(join(folder, 'run'))]).toEqual([['home', 'run'], []]);
  });

  it.each([
    [
      'an image that nobody has built',
      ['--container', 'nobody/built:1'],
      {},
      'There is no image nobody/built:1.',
    ],
    [
      'an engine that is not installed',
      ['--container'],
      { HANDRAISE_CONTAINER_ENGINE: 'podman' },
      'Podman is not installed: there is no podman in the PATH.',
    ],
  ])('%s ends the work at once, with exit code 69 and a sentence', async (_, flags, env, sentence) => {
    const ran = await cli.start(['run', '--command', 'true', 'work', ...flags], { env }).finished;
    expect(ran.code).toBe(69);
    expect(`${ran.stdout}${ran.stderr}`).toContain(sentence);
  });

  it('a command is a container for each turn, and an OOM of it is shown as that', async () => {
    const command = `node -e 'process.stdout.write(process.cwd())'`;
    const ran = await cli.run('run', '--command', command, 'work', '--container');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('/workspace') });
    const hog = `node -e 'const all=[]; for(;;) all.push(Buffer.alloc(1e7, 1))'`;
    const out = await cli.start(['run', '--retries', '0', '--command', hog, 'work', '--container'], {
      env: { HANDRAISE_CONTAINER_MEMORY: '128m' },
    }).finished;
    expect(out.code).not.toBe(0);
    expect(`${out.stdout}${out.stderr}`).toMatch(/memory/);
  });
});

function codex(text: string): string[] {
  return ['run', '--runtime', 'codex', '--permissions', 'autonomous', text, '--container'];
}
