import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { addUp } from '../../src/cli/commands/up.js';
import { addWorker } from '../../src/cli/commands/worker.js';
import { settingKeys, variableOf } from '../../src/cli/settings/settings.js';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const read = async (name: string) => await readFile(join(root, 'deploy', name), 'utf8');
/** What the API answers without a token. */
const healthPaths = ['/healthz', '/readyz'];
const variables = new Set<string>([...settingKeys.map(variableOf), 'HANDRAISE_HOME']);

const program = new Command('handraise').exitOverride();
addUp(program);
addWorker(program);
const upOptions = program.commands.find((each) => each.name() === 'up')?.options.map(({ long }) => long);

/** What stands in a file, as loose as the file is. */
type Parsed = ReturnType<typeof parse>;

/** Every flag and variable of ours that a file names exists. */
function expectKnown(text: string) {
  const commands = text.replace(/^\s*#.*$/gm, '');
  const named = [...commands.matchAll(/\bHANDRAISE_[A-Z_]+/g)].map(([name]) => name);
  expect(named.filter((name) => !variables.has(name))).toEqual([]);
}

describe('deploy', () => {
  it('is shipped, and its version is the package’s', async () => {
    const { files, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(files).toContain('deploy');
    for (const name of ['Dockerfile', 'compose.yaml'])
      for (const [, named] of (await read(name)).matchAll(/handraise@(\d+\.\d+\.\d+)/g))
        expect(named).toBe(version);
  });

  it('has a unit that systemd takes, whose flags exist', async () => {
    const unit = await read('handraise.service');
    expectKnown(unit);
    const start = /^ExecStart=.*handraise up (.*)$/m.exec(unit)?.[1] ?? '';
    expect(start.split(' ').filter((word) => word.startsWith('--') && !upOptions?.includes(word))).toEqual(
      [],
    );
    expect(unit).toMatch(/^KillMode=process$/m);
    if (!existsSync('/usr/bin/systemd-analyze')) return;
    const { stderr } = await run('systemd-analyze', ['verify', join(root, 'deploy/handraise.service')]).catch(
      (error: { readonly stderr: string }) => error,
    );
    expect(stderr.split('\n').filter((line) => line.includes('handraise.service'))).toEqual([]);
  });

  it('has a compose file whose workers have names, a healthy database and a probe', async () => {
    const text = await read('compose.yaml');
    expectKnown(text);
    const { services, volumes } = parse(text, { merge: true });
    const workers = Object.entries<Parsed>(services).filter(([name]) => name.startsWith('worker'));
    expect(workers).toHaveLength(2);
    for (const [name, service] of workers) {
      expect(service.environment.HANDRAISE_WORKER_NAME).toBe(name);
      expect(new URL(service.environment.HANDRAISE_STORE.replace(/\$\{.*?\}/, 'x')).hostname).toBe(
        'postgres',
      );
      expect(service.depends_on.postgres.condition).toBe('service_healthy');
      expect(healthPaths).toContain(service.healthcheck.test.at(-1));
      for (const volume of service.volumes) expect(volumes).toHaveProperty(volume.split(':')[0]);
    }
  });

  it('has manifests whose parts name each other, and whose probes the API answers', async () => {
    const text = await read('kubernetes.yaml');
    expectKnown(text);
    const documents = parseAllDocuments(text);
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const objects: Parsed[] = documents.map((document) => document.toJS());
    const of = (kind: string) => objects.find((each) => each.kind === kind);
    const set = of('StatefulSet').spec;
    const [worker] = set.template.spec.containers;
    expect(of('Service').metadata.name).toBe(set.serviceName);
    expect(set.template.metadata.labels).toEqual(set.selector.matchLabels);
    expect(of('Service').spec.selector).toEqual(set.selector.matchLabels);
    expect(of('PodDisruptionBudget').spec.selector).toEqual(set.selector);
    expect(worker.envFrom[0].secretRef.name).toBe(of('Secret').metadata.name);
    expect(Object.keys(of('Secret').stringData)).toContain('HANDRAISE_STORE');
    expect(worker.args[0]).toBe('up');
    expect(worker.args.filter((word: string) => word.startsWith('--') && !upOptions?.includes(word))).toEqual(
      [],
    );
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      expect(healthPaths).toContain(worker[probe].exec.command.at(-1));
    const image = await read('Dockerfile');
    for (const { exec } of Object.values<Parsed>(worker.lifecycle))
      expect(exec.command.join(' ')).toContain('/opt/handraise/drain.sh');
    expect(image).toMatch(/^COPY .*drain\.sh is-ready\.mjs \/opt\/handraise\/$/m);
    expect(worker.volumeMounts[0].name).toBe(set.volumeClaimTemplates[0].metadata.name);
    expect(image).toContain(`HANDRAISE_HOME=${worker.volumeMounts[0].mountPath}/`);
  });

  it('has a probe that fails while the worker is not ready', async () => {
    let status = 200;
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(status).end('{"ready":false,"why":"draining"}');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const env = { PATH: process.env['PATH'], HANDRAISE_PORT: String(Object(address).port) };
    const probe = async () =>
      await run(process.execPath, [join(root, 'deploy/is-ready.mjs'), '/readyz'], { env }).then(
        () => 'ready',
        ({ stderr }) => stderr,
      );
    expect(await probe()).toBe('ready');
    status = 503;
    expect(await probe()).toContain('/readyz: 503 {"ready":false,"why":"draining"}');
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    expect(await probe()).toContain('ECONNREFUSED');
    expect(asked).toEqual(['/api/v1/readyz', '/api/v1/readyz']);
  });

  it('drains by commands that exist, and waits until nothing is under way', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'drain-'));
    try {
      // Stands in for the program: it writes down what it was told, and has work under way until it was asked twice.
      await writeFile(
        join(folder, 'handraise'),
        `#!/bin/sh
echo "$@" >> ${folder}/told
[ "$2" = ls ] || exit 0
left=1; [ -e ${folder}/asked ] && left=0; touch ${folder}/asked
echo '{"workers":[{"name":"other","underWay":9},{"name":"w-1","underWay":'$left'}]}'
`,
      );
      await writeFile(join(folder, 'sleep'), '#!/bin/sh\n');
      for (const name of ['handraise', 'sleep']) await chmod(join(folder, name), 0o755);
      const env = { PATH: `${folder}:${process.env['PATH']}`, HANDRAISE_WORKER_NAME: 'w-1' };
      const exit = await new Promise((resolve) => {
        spawn(join(root, 'deploy/drain.sh'), { env, stdio: 'inherit' }).on('exit', resolve);
      });
      expect(exit).toBe(0);
      await run(join(root, 'deploy/drain.sh'), ['--undo'], { env });
      const told = (await readFile(join(folder, 'told'), 'utf8')).trim().split('\n');
      expect(told).toEqual([
        'worker drain w-1',
        'worker ls --json',
        'worker ls --json',
        'worker drain --undo w-1',
      ]);
      const worker = program.commands.find((each) => each.name() === 'worker');
      const options = worker?.commands.map((each) => [each.name(), each.options.map(({ long }) => long)]);
      expect(options).toContainEqual(['drain', expect.arrayContaining(['--undo'])]);
      expect(options).toContainEqual(['ls', expect.arrayContaining(['--json'])]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
