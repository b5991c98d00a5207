// @module-tag full
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { runtimeEnvironment } from '../../../src/simulator/runtime-environment.js';
import { type ContainerEngine, openEngine, whyNoEngine } from '../../harness/container-engine.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type CliStage, openCliStage } from '../cli-stage.js';
import { runnerOf } from './container-runner.js';
import { npmVariables } from './npm-variables.js';
import { takeOver } from './take-over.js';

test.runIf(whyNoEngine !== undefined)(`OpenCode in a container (skipped: ${whyNoEngine})`, () => {});

const Pin = z.object({ dependencies: z.record(z.string(), z.string()) });
const pin = new URL('../../harness/runtimes/opencode/package.json', import.meta.url);

describe.skipIf(whyNoEngine !== undefined)('OpenCode in a container', () => {
  let engine: ContainerEngine;
  let cli: CliStage;
  beforeAll(async () => {
    engine = await openEngine();
    cli = await openCliStage();
    const model = { ANTHROPIC_BASE_URL: cli.stage.simulator.url, OPENCODE_DISABLE_MODELS_FETCH: '1' };
    Object.assign(cli.env, engine.env, model);
    const [version = ''] = Object.values(Pin.parse(JSON.parse(readFileSync(pin, 'utf8'))).dependencies);
    const build = ['container', 'build', 'opencode', '--base', engine.base, '--agent-version', version];
    expect(await cli.start(build, { env: npmVariables() }).finished).toMatchObject({
      code: 0,
      stdout: 'handraise-opencode\n',
    });
    const home = join(cli.home, 'containers/home/opencode');
    const { files } = runtimeEnvironment('opencode', { url: 'http://127.0.0.1:4010', home });
    mkdirSync(join(home, '.config/opencode'), { recursive: true });
    for (const content of Object.values(files))
      writeFileSync(join(home, '.config/opencode/opencode.json'), content);
  }, 400_000);
  afterEach(async () => {
    await cli.run('down', '--stop-agents');
    expect(await left()).toEqual([]);
    expect(sockets()).toEqual([]);
  });
  afterAll(async () => {
    await cli[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  });

  it('asks before it acts, works in /workspace, and its commands find neither its password nor a way to its calls', async () => {
    const probe = `const {connect}=require('node:net');connect('/run/handraise/calls').on('connect',()=>console.log('in')).on('error',(e)=>console.log(e.code))`;
    const command = `pwd > where.txt; (env | grep -c PASSWORD || true) >> where.txt; node -e "${probe}" >> where.txt`;
    const run = cli.start(runOf(bash(command)));
    expect((await cli.run('approve', await asked())).code).toBe(0);
    expect(await run.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('Over.') });
    const [folder, passwords, line] = written('where.txt');
    expect([folder, passwords]).toEqual(['/workspace', '0']);
    expect(['ECONNREFUSED', 'ENOENT', 'EACCES']).toContain(line);
  });

  it('asks with choices, is parked, and goes on with the answer', async () => {
    // Only here: on a busy machine seconds pass between a question and what the other tests do while its agent waits.
    // Any command starts a worker where none runs, and not with this setting.
    const up = cli.start(['up', '-d', '--json'], { env: { HANDRAISE_HOLD_FOR_MINUTES: '0.05' } });
    expect(JSON.parse((await up.finished).stdout)).toMatchObject({ isNew: true });
    const run = cli.start(runOf('[[ask Which colour? | Red | Blue]] [[next]] [[text Over.]]'));
    const prompt = await asked();
    await waitUntil('the agent is parked', async () => (await left()).length === 0);
    expect((await cli.run('answer', prompt, 'Turquoise')).code).toBe(0);
    expect((await run.finished).code).toBe(0);
    expect(requests()).toContain('Turquoise');
  });

  it('loses its runner to a kill -9 while it asks, and goes on with the answer', async () => {
    const run = cli.start(runOf('[[ask Which size? | Small | Large]] [[next]] [[text Over.]]'));
    const prompt = await asked();
    const [container = ''] = await left();
    const name = await engine.docker('inspect', '--format', '{{.Name}}', container);
    process.kill(runnerOf(name.slice(1)), 'SIGKILL');
    await waitUntil('the container is gone', async () => !(await left()).includes(container));
    expect((await cli.run('answer', prompt, 'Gigantic')).code).toBe(0);
    expect((await run.finished).code).toBe(0);
    expect(requests()).toContain('Gigantic');
  });

  it('does not notice a kill -9 of the worker, and acts once it may', async () => {
    const id = (await cli.run(...runOf(bash('echo once >> acted.txt')), '-d')).stdout.trim();
    const prompt = await asked();
    const before = await left();
    process.kill(cli.workerPid(), 'SIGKILL');
    expect((await cli.run('approve', prompt)).code).toBe(0);
    expect(await cli.run('wait', id)).toMatchObject({ code: 0 });
    expect(written('acted.txt')).toEqual(['once']);
    expect(before).toHaveLength(1);
  });

  it('is tried again when the main process of its container is killed', async () => {
    const text = bash('echo try >> tries.txt; [ $(wc -l < tries.txt) -gt 1 ] || sleep 600');
    const run = cli.start(runOf(text, '--permissions', 'autonomous'));
    await waitUntil('the command runs', () => existsSync(join(cli.stage.workspace, 'tries.txt')));
    const [container = ''] = await left();
    await engine.docker('kill', '--signal', 'KILL', container);
    expect((await run.finished).code).toBe(0);
    expect(written('tries.txt')).toEqual(['try', 'try']);
  });

  it('is taken over in a terminal and given back with what was said', async () => {
    expect((await cli.run(...runOf('[[text Said by the worker.]]'))).code).toBe(0);
    await takeOver(cli, {
      ready: 'worker.]]',
      leave: '/exit',
      savedIn: join(cli.home, 'containers/home/opencode/.local/share/opencode'),
    });
  });

  function written(name: string): string[] {
    return readFileSync(join(cli.stage.workspace, name), 'utf8').trim().split('\n');
  }
  function requests(): string {
    return JSON.stringify(cli.stage.simulator.requests.map(({ conversation }) => conversation));
  }
  async function asked(): Promise<string> {
    let prompt = '';
    await waitUntil('a question is asked', async () => {
      prompt = (await cli.run('inbox', '-q')).stdout.trim();
      return prompt !== '';
    });
    return prompt;
  }
  async function left(): Promise<string[]> {
    return (await engine.docker('ps', '--all', '--quiet')).split('\n').filter((id) => id !== '');
  }
  /** What joins runners to containers. */
  function sockets(): string[] {
    const folder = join(cli.home, 'containers/run');
    return existsSync(folder) ? readdirSync(folder) : [];
  }
});

function runOf(text: string, ...more: string[]): string[] {
  return ['run', '--runtime', 'opencode', ...more, text, '--container'];
}

function bash(command: string): string {
  return `[[tool bash ${JSON.stringify({ command, description: 'works' })}]] [[next]] [[text Over.]]`;
}
