// @module-tag full
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { baseArchive, basePath } from '../../harness/container-engine.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type CliStage, openCliStage } from '../cli-stage.js';

const run = promisify(execFile);

const image = 'localhost/handraise-test-podman';

/** Podman has no daemon that a test could have for itself, so it is the machine's own that is used, or none. */
const whyNoPodman = await run('podman', ['info'], { timeout: 60_000 }).then(
  async () => (process.getuid?.() === 0 ? await whyNoContainer() : 'it needs root'),
  () => 'podman is not installed, or does not work here',
);

/** Imports the image of the tests, and says why nothing can be started in it. */
async function whyNoContainer(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-podman-'));
  const archive = await baseArchive(join(folder, 'root'));
  await run('podman', ['import', '--change', basePath, archive, image]);
  await rm(folder, { recursive: true });
  return await run('podman', ['run', '--rm', '--network', 'none', image, 'true']).then(
    () => undefined,
    async () => {
      await run('podman', ['image', 'rm', image]);
      return 'podman can start no container here';
    },
  );
}
if (whyNoPodman !== undefined) process.stderr.write(`Tests with Podman are skipped: ${whyNoPodman}.\n`);
test.runIf(whyNoPodman !== undefined)(`In Podman (skipped: ${whyNoPodman})`, () => {});

describe.skipIf(whyNoPodman !== undefined)('in Podman', () => {
  let cli: CliStage;
  beforeAll(async () => {
    cli = await openCliStage();
    const podman = Object.entries(process.env).filter(([name]) => /^(PATH|CONTAINERS_.*)$/.test(name));
    Object.assign(cli.env, Object.fromEntries(podman), { HANDRAISE_CONTAINER_ENGINE: 'podman' });
  });
  afterAll(async () => {
    await cli[Symbol.asyncDispose]();
    expect(await left()).toEqual([]);
    await run('podman', ['image', 'rm', image]);
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
});

function runOf(script: string, ...more: string[]): string[] {
  return ['run', '--command', `sh -c ${JSON.stringify(script)}`, 'work', '--container', image, ...more];
}

async function left(): Promise<string[]> {
  const filter = ['--filter', 'label=handraise.run', '--filter', `ancestor=${image}`];
  const { stdout } = await run('podman', ['ps', '--all', '--quiet', ...filter]);
  return stdout.split('\n').filter((id) => id !== '');
}
