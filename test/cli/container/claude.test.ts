// @module-tag full
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { UsageReport } from '../../../src/protocol/api.js';
import { type ContainerEngine, openEngine, whyNoEngine } from '../../harness/container-engine.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type CliStage, openCliStage } from '../cli-stage.js';
import { runnerOf } from './container-runner.js';

test.runIf(whyNoEngine !== undefined)(`Claude in a container (skipped: ${whyNoEngine})`, () => {});

const UsageReports = z.object({ usage: z.array(UsageReport) });
const hog = `node -e 'const all=[]; for(;;) all.push(Buffer.alloc(1e7, 1))'`;

describe.skipIf(whyNoEngine !== undefined)('Claude in a container', () => {
  let engine: ContainerEngine;
  let cli: CliStage;
  beforeAll(async () => {
    engine = await openEngine();
    cli = await openCliStage();
    Object.assign(cli.env, engine.env, { A_SECRET: 'of the machine' });
    const built = await cli.run('container', 'build', 'claude', '--base', engine.base);
    expect(built).toMatchObject({ code: 0, stdout: 'handraise-claude\n' });
  }, 240_000);
  afterEach(async () => {
    await cli.run('down', '--stop-agents');
    expect(await left()).toEqual([]);
  });
  afterAll(async () => {
    await cli[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  });

  it('has its workspace, its model, and nothing else of the machine', async () => {
    writeFileSync(join(cli.stage.workspace, 'here.txt'), 'in the workspace');
    execFileSync('git', ['init', '-q'], { cwd: cli.stage.workspace });
    await cli.run('up', '-d');
    const { url } = JSON.parse(readFileSync(join(cli.home, 'worker.json'), 'utf8'));
    const command = [
      'pwd; cat here.txt; echo made > there.txt; echo bad > .git/hooks/post-checkout',
      `ls -d ${cli.stage.home} ${cli.home} /var/run/docker.sock ${engine.env.DOCKER_HOST.slice(7)}`,
      `node -e 'fetch("${url}/api/v1/healthz").then(() => console.log("API"), () => console.log("no API"))'`,
      `node -e 'require("node:http").get({host:"127.0.0.1",port:4010,path:"http://other.example/"},(r)=>console.log("proxy", r.statusCode))'`,
      'env',
    ].join('; ');
    const ran = await work(bash(command));
    expect(ran.code).toBe(0);
    const [sent] = cli.stage.simulator
      .modelRequests()
      .map(({ body }) => JSON.stringify(body))
      .filter((body) => body.includes('in the workspace'));
    expect(sent).toContain('/workspace\\nin the workspace');
    for (const word of ['post-checkout: Read-only file system', 'no API', 'proxy 403', 'HOME=/home/agent'])
      expect(sent).toContain(word);
    for (const word of ['of the machine', 'A_SECRET', 'DOCKER_HOST', 'HANDRAISE_HOME', '\\nAPI'])
      expect(sent).not.toContain(word);
    for (const path of [cli.stage.home, cli.home, '/var/run/docker.sock'])
      expect(sent).toContain(`${path}': No such file or directory`);
    expect(readdirSync(cli.stage.workspace)).toContain('there.txt');
    expect(await logs()).toContain('tried to reach other.example:80 and was refused');
  });

  it('asks before it acts, and acts once it may', async () => {
    const run = cli.start(['run', bash('echo made > approved.txt'), '--container']);
    const prompt = await asked();
    expect(existsSync(join(cli.stage.workspace, 'approved.txt'))).toBe(false);
    expect((await cli.run('approve', prompt)).code).toBe(0);
    expect((await run.finished).code).toBe(0);
    expect(readFileSync(join(cli.stage.workspace, 'approved.txt'), 'utf8')).toBe('made\n');
  });

  it('works in a worktree, whose repository it cannot write', async () => {
    const repository = join(cli.stage.home, 'repository');
    mkdirSync(repository);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    writeFileSync(join(repository, 'kept.txt'), 'kept');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'first words');
    const command = 'git log --format=%s; echo new > made.txt; git add made.txt; echo ended';
    const ran = await work(bash(command), {}, '--worktree', '--workspace', repository);
    expect(ran.code).toBe(0);
    expect(requests()).toContain('first words');
    expect(requests()).toMatch(/Read-only file system|unable to create|could not/i);
    expect(existsSync(join(repository, 'made.txt'))).toBe(false);
    expect((await cli.run('diff', 'last')).stdout).toContain('made.txt');
  });

  it('has the processors that it was given, and what it used is told by status', async () => {
    const ran = await work(
      bash(
        `cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu.max; node -e 'while(process.cpuUsage().user<8e5);'`,
      ),
      { HANDRAISE_CONTAINER_CPUS: '0.75' },
    );
    expect(ran.code).toBe(0);
    expect(requests()).toContain('75000');
    expect(await logs()).not.toContain('is not in force');
    await cli.run('down', '--stop-agents');
    const { usage } = UsageReports.parse(await cli.json('usage', '--by', 'thread'));
    // Ids begin with the time, so the newest thread is the last.
    const used = usage.at(-1)?.resources;
    expect(used?.cpuSeconds).toBeGreaterThan(0.8);
    expect(used?.peakMemoryBytes).toBeGreaterThan(50e6);
  });

  it('reaches a model at an encrypted address through the proxy, end to end', async () => {
    await using model = await openEncrypted(cli);
    writeFileSync(join(cli.stage.workspace, 'ca.pem'), model.certificate);
    const ran = await work('[[text Said over TLS.]]', {
      ANTHROPIC_BASE_URL: model.url,
      NODE_EXTRA_CA_CERTS: '/workspace/ca.pem',
      HANDRAISE_CONTAINER_ENV: 'NODE_EXTRA_CA_CERTS',
    });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Said over TLS.') });
    expect(model.requests()).toBeGreaterThan(0);
  });

  it('is Amp, from an image of its user', async () => {
    const folder = join(cli.stage.home, 'amp');
    mkdirSync(folder);
    copyFileSync(new URL('../../fixtures/amp/amp.sh', import.meta.url), join(folder, 'amp'));
    chmodSync(join(folder, 'amp'), 0o755);
    writeFileSync(
      join(folder, 'Dockerfile'),
      'FROM handraise-claude\nCOPY amp /usr/local/bin/amp\nENV ANTHROPIC_BASE_URL=http://127.0.0.1:4010 ANTHROPIC_API_KEY=simulated\n',
    );
    await engine.docker('build', '--tag', 'handraise-amp', folder);
    const env = { AMP_URL: cli.stage.simulator.url, AMP_STAND_IN: '/usr/local/bin/claude' };
    const text = bash('pwd > where.txt');
    const run = ['run', '--runtime', 'amp', '--permissions', 'autonomous', text, '--container'];
    const ran = await cli.start(run, { env }).finished;
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Over.') });
    expect(readFileSync(join(cli.stage.workspace, 'where.txt'), 'utf8')).toBe('/workspace\n');
  });

  it('asks, is parked, and goes on with the answer', async () => {
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

  it('asks, loses its runner to a kill -9, and goes on with the answer', async () => {
    const run = cli.start(runOf('[[ask Which size? | Small | Large]] [[next]] [[text Over.]]'));
    const prompt = await asked();
    const [container = ''] = await left();
    const runner = runnerOf(await nameOf(container));
    const before = cli.stage.simulator.modelRequests().length;
    process.kill(runner, 'SIGKILL');
    await waitUntil('the container is gone', async () => !(await left()).includes(container));
    expect(cli.stage.simulator.modelRequests().length).toBe(before);
    expect((await cli.run('answer', prompt, 'Gigantic')).code).toBe(0);
    expect((await run.finished).code).toBe(0);
    expect(requests()).toContain('Gigantic');
  });

  it('is taken over in a terminal and given back with what was said', async () => {
    const settings = join(cli.home, 'containers/home/claude/.claude.json');
    writeFileSync(
      settings,
      JSON.stringify({
        hasCompletedOnboarding: true,
        projects: { '/workspace': { hasTrustDialogAccepted: true } },
        customApiKeyResponses: { approved: [cli.env['ANTHROPIC_API_KEY']], rejected: [] },
      }),
    );
    expect((await work('[[text Said by the worker.]]')).code).toBe(0);
    const terminal = cli.onTerminal(['attach', 'last'], { columns: 120, rows: 40, env: cli.env });
    await terminal.saying('Leave the program');
    await terminal.saying('Said by the');
    const said = '[[text Said in the terminal.]]';
    terminal.type(said);
    await terminal.saying('terminal.]]');
    terminal.type('\r');
    await waitUntil('the model has heard it', () => requests().includes(said));
    await terminal.saying('Said in');
    terminal.type('/exit\r');
    expect(await terminal.finished).toMatchObject({ code: 0 });
    expect(await logs()).toContain('Said in the terminal.');
    expect((await cli.run('send', 'last', '[[text Over.]]')).code).toBe(0);
    await cli.run('wait', 'last');
    expect(JSON.stringify(cli.stage.simulator.requests.at(-1)?.conversation)).toContain(
      'Said in the terminal.',
    );
  });

  it('is told apart from the client that joins it to the runner', async () => {
    const run = cli.start(
      runOf(bash('touch begun; node -e "setTimeout(() => {}, 600000)"'), '--retries', '0'),
    );
    await waitUntil('the command runs', async () => (await processes()).includes('600000'));
    const [name] = await left();
    process.kill(Number(execFileSync('pgrep', ['-f', `docker run.*${await nameOf(name)}`])), 'SIGKILL');
    expect((await run.finished).code).not.toBe(0);
    expect(await logs()).toContain('joins the agent to its container was killed');
  });

  it('is said to be paused when somebody pauses it, and goes on', async () => {
    const run = cli.start(runOf(bash('until [ -e go ]; do sleep 0.2; done')));
    await waitUntil('the command runs', async () => (await processes()).includes('until'));
    const [name = ''] = await left();
    await engine.docker('pause', name);
    await waitUntil('it is said', async () => (await logs()).includes('has paused the container'));
    await engine.docker('unpause', name);
    await waitUntil('that is said', async () => (await logs()).includes('The container was resumed'));
    writeFileSync(join(cli.stage.workspace, 'go'), '');
    expect((await run.finished).code).toBe(0);
  });

  it('lives on when the kernel ends a command of it for want of memory, and that is said', async () => {
    const ran = await work(bash(`${hog}; echo after`), { HANDRAISE_CONTAINER_MEMORY: '512m' });
    expect(ran.code).toBe(0);
    await waitUntil('it is said', async () =>
      (await logs()).includes('ran out of memory (its limit is 512m)'),
    );
    expect(await logs()).not.toContain('is not in force');
  });

  it('is shown as out of memory when the kernel ends the agent itself', async () => {
    const command = `for each in /proc/[0-9]*; do grep -q claude $each/comm && echo 1000 > $each/oom_score_adj; done; echo 0 > /proc/self/oom_score_adj; ${hog}`;
    const ran = await work(bash(command), { HANDRAISE_CONTAINER_MEMORY: '512m' }, '--retries', '0');
    expect(ran.code).not.toBe(0);
    expect((await cli.run('ls')).stdout).toMatch(/memory/i);
    expect(await cli.json('status', 'last')).toMatchObject({ status: { state: 'oomKilled' } });
  });

  async function work(text: string, env: Record<string, string> = {}, ...more: string[]) {
    return await cli.start(runOf(text, ...more), { env }).finished;
  }
  async function asked(): Promise<string> {
    let prompt = '';
    await waitUntil('a question is asked', async () => {
      prompt = (await cli.run('inbox', '-q')).stdout.trim();
      return prompt !== '';
    });
    return prompt;
  }
  async function logs(): Promise<string> {
    return (await cli.run('logs', 'last')).stdout.replaceAll(/\s+/g, ' ');
  }
  function requests(): string {
    return JSON.stringify(cli.stage.simulator.modelRequests().map(({ body }) => body));
  }
  async function left(): Promise<string[]> {
    return (await engine.docker('ps', '--all', '--quiet')).split('\n').filter((id) => id !== '');
  }
  async function nameOf(id: string | undefined): Promise<string> {
    return (await engine.docker('inspect', '--format', '{{.Name}}', id ?? '')).slice(1);
  }
  async function processes(): Promise<string> {
    const lists = (await left()).map((id) => engine.docker('top', id, '-eo', 'pid,args').catch(() => ''));
    return (await Promise.all(lists)).join('\n');
  }
});

function runOf(text: string, ...more: string[]): string[] {
  return ['run', '--permissions', 'autonomous', ...more, text, '--container'];
}

function bash(command: string): string {
  return `[[tool Bash ${JSON.stringify({ command })}]] [[next]] [[text Over.]]`;
}

/** The model behind TLS, at an address that no program takes for its own machine's. */
async function openEncrypted(cli: CliStage) {
  const key = join(cli.stage.home, 'key.pem');
  const file = join(cli.stage.home, 'certificate.pem');
  const subject = ['-subj', '/CN=model', '-addext', 'subjectAltName=IP:127.0.0.2'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', file, ...subject],
    {
      stdio: 'ignore',
    },
  );
  const certificate = readFileSync(file, 'utf8');
  let count = 0;
  const server = createServer({ key: readFileSync(key), cert: certificate }, (asked, answer) => {
    count += 1;
    const to = new URL(asked.url ?? '/', cli.stage.simulator.url);
    const far = request(to, { method: asked.method, headers: { ...asked.headers, host: to.host } }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    asked.pipe(far);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `https://127.0.0.2:${port}`,
    certificate,
    requests: () => count,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
