// @module-tag full
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPodman } from '../../harness/podman.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type CliStage, openCliStage } from '../cli-stage.js';

const image = 'handraise-exec';

describe('in Podman', () => {
  let engine: Awaited<ReturnType<typeof openPodman>>;
  let cli: CliStage;
  beforeAll(async () => {
    engine = await openPodman();
    if ('why' in engine) {
      process.stderr.write(`Tests with Podman are skipped: ${engine.why}.\n`);
      return;
    }
    cli = await openCliStage();
    Object.assign(cli.env, engine.env, { HANDRAISE_CONTAINER_ENGINE: 'podman' });
  });
  beforeEach((context) => {
    if ('why' in engine) context.skip(engine.why);
  });
  afterAll(async () => {
    if ('why' in engine) return;
    await cli[Symbol.asyncDispose]();
    expect(await left()).toEqual([]);
    await engine[Symbol.asyncDispose]();
  });

  it('its image is built by the recipe', async () => {
    const base = 'why' in engine ? '' : engine.base;
    const built = await cli.run('container', 'build', 'exec', '--base', base, '--json');
    expect(built).toMatchObject({ code: 0 });
    expect(JSON.parse(built.stdout)).toEqual({ image, engine: 'podman', runtime: 'exec' });
    const [found] = JSON.parse(await podman('image', 'inspect', image));
    expect(found).toMatchObject({
      Labels: { 'handraise.runtime': 'exec' },
      Config: { WorkingDir: '/workspace' },
    });
    const other = await cli.run('container', 'build', 'exec', '--base', 'localhost/nobody/built:1');
    expect(other).toMatchObject({ code: 69, stdout: '' });
    expect(other.stderr).toContain('podman ended with exit code');
  });

  it('a command asks by file, is answered, and is told what it may not reach', async () => {
    const reach = `require('node:http').get({host:'127.0.0.1',port:4010,path:'http://other.example/'},()=>{})`;
    const ask = `mkdir -p .agora; [ -e asked ] || echo '{"question":"Which?"}' > .agora/needs_input.json; touch asked`;
    const work = cli.start(runOf(`node -e "${reach}"; pwd; ${ask}`));
    let prompt = '';
    await waitUntil('a question is asked', async () => {
      prompt = (await cli.run('inbox', '-q')).stdout.trim();
      return prompt !== '';
    });
    expect((await cli.run('answer', prompt, 'Blue')).code).toBe(0);
    expect(await work.finished).toMatchObject({ code: 0, stdout: expect.stringContaining('/workspace') });
    expect((await cli.run('logs', 'last')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'tried to reach other.example:80 and was refused',
    );
  });

  it('a command that runs out of memory is shown as that', async () => {
    const hog = `node -e 'const all=[]; for(;;) all.push(Buffer.alloc(1e7, 1))'`;
    const env = { HANDRAISE_CONTAINER_MEMORY: '128m' };
    const ran = await cli.start(runOf(hog, '--retries', '0'), { env }).finished;
    expect(ran.code).not.toBe(0);
    expect(await cli.json('status', 'last')).toMatchObject({ status: { state: 'oomKilled' } });
  });

  it('nothing is left when the runner is killed', async () => {
    const work = cli.start(runOf('touch begun; sleep 600', '--retries', '0'));
    await waitUntil('the command runs', () => existsSync(join(cli.stage.workspace, 'begun')));
    const runners = execFileSync('pgrep', ['-f', `handraise-runner.*${cli.home}`]);
    for (const pid of String(runners).trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    await work.finished;
    await waitUntil('the container is gone', async () => (await left()).length === 0);
    const sockets = join(cli.home, 'containers/run');
    await waitUntil('its sockets are gone', () => readdirSync(sockets).length === 0);
  });

  async function podman(...args: string[]): Promise<string> {
    if ('why' in engine) throw new Error(engine.why);
    return await engine.podman(...args);
  }

  async function left(): Promise<string[]> {
    const ids = await podman('ps', '--all', '--quiet', '--filter', 'label=handraise.run');
    return ids.split('\n').filter((id) => id !== '');
  }
});

function runOf(script: string, ...more: string[]): string[] {
  return ['run', '--command', `sh -c ${JSON.stringify(script)}`, 'work', '--container', ...more];
}
