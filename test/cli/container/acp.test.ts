// @module-tag full
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { runtimeEnvironment } from '../../../src/simulator/runtime-environment.js';
import { type ContainerEngine, openEngine, whyNoEngine } from '../../harness/container-engine.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type CliStage, openCliStage } from '../cli-stage.js';
import { npmVariables } from './npm-variables.js';

test.runIf(whyNoEngine !== undefined)(
  `Agents that speak ACP in a container (skipped: ${whyNoEngine})`,
  () => {},
);

const proxy = 'http://127.0.0.1:4010';

describe.skipIf(whyNoEngine !== undefined)('in a container', () => {
  let engine: ContainerEngine;
  let cli: CliStage;
  beforeAll(async () => {
    engine = await openEngine();
    cli = await openCliStage();
    // The worker has the environment of whoever started it.
    const { url } = cli.stage.simulator;
    const model = { ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'simulated' };
    Object.assign(cli.env, engine.env, model);
    for (const agent of ['opencode', 'gemini'] as const) {
      const build = ['container', 'build', `acp:${agent}`, '--base', engine.base];
      const version = ['--agent-version', pinned(agent)];
      expect(await cli.start([...build, ...version], { env: npmVariables() }).finished).toMatchObject({
        code: 0,
        stdout: `handraise-acp-${agent}\n`,
      });
      const home = join(cli.home, 'containers/home', `acp-${agent}`);
      const { files } = runtimeEnvironment(agent, { url: proxy, home });
      for (const [path, content] of Object.entries(files)) {
        // Inside there is no variable that says where OpenCode's settings are.
        const place = agent === 'opencode' ? join(home, '.config/opencode/opencode.json') : path;
        mkdirSync(dirname(place), { recursive: true });
        writeFileSync(place, content);
      }
    }
  }, 400_000);
  afterAll(async () => {
    await cli[Symbol.asyncDispose]();
    expect(await engine.docker('ps', '--all', '--quiet')).toBe('');
    await engine[Symbol.asyncDispose]();
  });

  it('OpenCode asks before it acts, works in /workspace, and is told what it may not reach', async () => {
    const command = `pwd > where.txt; node -e 'require("node:http").get({host:"127.0.0.1",port:4010,path:"http://other.example/"},()=>{})'`;
    const call = JSON.stringify({ command, description: 'looks' });
    const run = cli.start(runOf('opencode', `[[tool bash ${call}]] [[next]] [[text Over.]]`));
    const prompt = await asked();
    expect((await cli.run('approve', prompt)).code).toBe(0);
    expect(await run.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('Over.') });
    expect(readFileSync(join(cli.stage.workspace, 'where.txt'), 'utf8')).toBe('/workspace\n');
    expect((await cli.run('logs', 'last')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'tried to reach other.example:80 and was refused',
    );
    const again = await cli.run('send', 'last', '[[text Once more.]]');
    expect(again.code).toBe(0);
    expect((await cli.run('wait', 'last')).code).toBe(0);
    expect(conversation()).toContain('Over.');
  });

  it('Gemini CLI asks by file, and goes on with the answer', async () => {
    const ask = `mkdir -p .agora && echo '{"question":"Which colour?"}' > .agora/needs_input.json`;
    const call = JSON.stringify({ command: ask });
    const text = `[[tool run_shell_command ${call}]] [[next]] [[text Waiting.]]`;
    const run = cli.start(runOf('gemini', text, '--permissions', 'autonomous'));
    const prompt = await asked();
    expect((await cli.run('answer', prompt, '[[text Over.]]')).code).toBe(0);
    expect(await run.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('Over.') });
  });

  function conversation(): string {
    return JSON.stringify(cli.stage.simulator.requests.at(-1)?.conversation);
  }
  async function asked(): Promise<string> {
    let prompt = '';
    await waitUntil('a question is asked', async () => {
      prompt = (await cli.run('inbox', '-q')).stdout.trim();
      return prompt !== '';
    });
    return prompt;
  }
});

function runOf(agent: string, text: string, ...more: string[]): string[] {
  return ['run', '--runtime', `acp:${agent}`, ...more, text, '--container'];
}

const Pin = z.object({ dependencies: z.record(z.string(), z.string()) });

function pinned(agent: 'opencode' | 'gemini'): string {
  const file = new URL(`../../harness/runtimes/${agent}/package.json`, import.meta.url);
  const [version = ''] = Object.values(Pin.parse(JSON.parse(readFileSync(file, 'utf8'))).dependencies);
  return version;
}
