// @module-tag full
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { UsageReport } from '../../../src/protocol/api.js';
import { type ContainerEngine, openEngine, whyNoEngine } from '../../harness/container-engine.js';
import { waitUntil } from '../../harness/wait-until.js';
import { asking, shell } from '../../runtimes/codex/codex-driver.js';
import { type CliStage, openCliStage } from '../cli-stage.js';
import { npmVariables } from './npm-variables.js';
import { takeOver } from './take-over.js';

test.runIf(whyNoEngine !== undefined)(
  `Codex and commands in a container (skipped: ${whyNoEngine})`,
  () => {},
);

const UsageReports = z.object({ usage: z.array(UsageReport) });
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

  it('Codex asks before every command, because it has no sandbox of its own there, and runs what was approved', async () => {
    const words = `${shell('ls -d /workspace')} [[next]] ${asking('touch made')} [[next]] [[text Made.]]`;
    const run = cli.start(['run', '--runtime', 'codex', words, '--container']);
    const made = join(cli.stage.workspace, 'made');
    for (const command of ['ls -d /workspace', 'touch made']) {
      let prompt = '';
      await waitUntil(`it asks to run ${command}`, async () => {
        prompt = (await cli.run('inbox', '-q')).stdout.trim();
        return prompt !== '' && (await cli.run('show', prompt)).stdout.includes(command);
      });
      expect(existsSync(made)).toBe(false);
      expect((await cli.run('approve', prompt)).code).toBe(0);
    }
    expect((await run.finished).code).toBe(0);
    expect(existsSync(made)).toBe(true);
    const heard = JSON.stringify(cli.stage.simulator.requests.at(-1)?.conversation);
    expect(heard).toContain('/workspace\\n');
    expect(heard).not.toContain('bwrap');
  });

  it('Codex edits unasked where edits are accepted, and only in the workspace', async () => {
    const home = patch('/home/agent/outside.txt');
    const words = `${patch('inside.txt')} [[next]] ${home} [[next]] ${shell('touch ran')} [[next]] [[text Done.]]`;
    const run = cli.start([
      'run',
      '--runtime',
      'codex',
      '--permission-mode',
      'acceptEdits',
      words,
      '--container',
    ]);
    expect(await deny('/home/agent/outside.txt')).toContain('Codex asks to edit /home/agent/outside.txt');
    expect(existsSync(join(cli.stage.workspace, 'inside.txt'))).toBe(true);
    await deny('touch ran');
    expect((await run.finished).code).toBe(0);
    expect(existsSync(join(cli.stage.workspace, 'ran'))).toBe(false);
    expect(readdirSync(join(cli.home, 'containers/home/codex'))).not.toContain('outside.txt');
  });

  it('Codex writes nothing while it plans, although no sandbox keeps it from that there', async () => {
    const before = readdirSync(cli.stage.workspace);
    const ways = [shell('touch planned'), asking('touch planned'), patch('planned')];
    const words = `${ways.join(' [[next]] ')} [[next]] [[text Planned.]]`;
    const run = cli.start(['run', '--runtime', 'codex', '--permission-mode', 'plan', words, '--container']);
    let last = '';
    for (const what of ['touch planned', 'touch planned', 'edit planned']) last = await deny(what, last);
    // Blocked: everything that it wanted was denied.
    expect((await run.finished).code).toBe(2);
    expect(readdirSync(cli.stage.workspace)).toEqual(before);
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

  /** Denies what is asked next, and says how it was asked. */
  async function deny(what: string, after = ''): Promise<string> {
    let [prompt, shown] = ['', ''];
    await waitUntil(`it asks to ${what}`, async () => {
      prompt = (await cli.run('inbox', '-q')).stdout.trim();
      if (prompt === '' || after.includes(prompt)) return false;
      shown = (await cli.run('show', prompt)).stdout;
      return shown.includes(what);
    });
    expect((await cli.run('deny', prompt)).code).toBe(0);
    return `${prompt} ${shown}`;
  }

  it.each([
    [
      'an image that nobody has built',
      ['--container', 'nobody/built:1'],
      {},
      'Docker has no image nobody/built:1. Build it: handraise container build --help (docs/containers.md)',
    ],
    [
      'an engine that is not installed',
      ['--container'],
      { HANDRAISE_CONTAINER_ENGINE: 'podman', PATH: pathOf('git', 'sh', 'true') },
      'Podman is not installed: there is no podman in the PATH.',
    ],
  ])('%s ends the work at once, with exit code 69 and a sentence', async (_, flags, env, sentence) => {
    // What is in the PATH counts for the worker, so it is one of its own.
    await cli.start(['down']).finished;
    const ran = await cli.start(['run', '--command', 'true', 'work', ...flags], { env }).finished;
    await cli.start(['down']).finished;
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
    expect(out).toMatchObject({ code: 1, stderr: expect.stringContaining('memory ran out') });
    expect(await cli.json('status', 'last')).toMatchObject({ status: { state: 'oomKilled' } });
  });

  it('a command that is out of memory before the engine says where it runs is shown as that', async () => {
    const slow = mkdtempSync(join(tmpdir(), 'slow-'));
    const { stdout } = spawnSync('sh', ['-c', 'command -v docker'], { env: engine.env, encoding: 'utf8' });
    const docker = `${stdout.trim()} "$@"`;
    // The engine is late with its flag, too.
    const late = `sleep 3; ${docker} | sed 's/"OOMKilled": true/"OOMKilled": false/'; exit`;
    const program = `#!/bin/sh\ncase "$1 $2" in 'container inspect') ${late};; esac\nexec ${docker}\n`;
    writeFileSync(join(slow, 'docker'), program, { mode: 0o755 });
    const hog = `node -e 'const all=[]; for(;;) all.push(Buffer.alloc(1e7, 1))'`;
    const env = { HANDRAISE_CONTAINER_MEMORY: '128m', PATH: `${slow}:${engine.env.PATH}` };
    // The engine's program is the worker's to find, so it is a worker of its own.
    await cli.start(['down']).finished;
    await cli.start(['run', '--retries', '0', '--command', hog, 'work', '--container'], { env }).finished;
    expect(await cli.json('status', 'last')).toMatchObject({ status: { state: 'oomKilled' } });
    // What it used counts, though nobody could look while it lived.
    const thread = z.object({ id: z.string() }).parse(await cli.json('show', 'last')).id;
    const { usage } = UsageReports.parse(await cli.json('usage', '--by', 'thread'));
    const resources = usage.find(({ key }) => key === thread)?.resources;
    expect(resources?.cpuSeconds).toBeGreaterThan(0);
    expect(resources?.aliveSeconds).toBeGreaterThan(0);
    await cli.start(['down']).finished;
  });
});

function codex(text: string): string[] {
  return ['run', '--runtime', 'codex', '--permissions', 'autonomous', text, '--container'];
}

function patch(path: string): string {
  return shell(`apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+hello\n*** End Patch\nEOF`);
}

/** A path that has Node and these programs, whatever else is installed here. */
function pathOf(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'path-'));
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const name of names) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(stdout.trim(), join(folder, name));
  }
  return folder;
}
