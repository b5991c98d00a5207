// @module-tag full
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresServer } from '../harness/postgres-server.js';
import { waitUntil } from '../harness/wait-until.js';
import { type CliStage, openCliStage } from './cli-stage.js';

const asks = '[[ask Which colour? | Red | Blue]] [[next]] [[text As you wish.]]';

let server: PostgresServer;
let cli: CliStage;
let url: string;

beforeAll(async () => {
  server = await PostgresServer.start([]);
  url = server.url(await server.createDatabase());
  cli = await openCliStage();
});
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

it('says in a sentence why a database cannot be used, with its exit code and without the password', async () => {
  const { port } = server;
  const refusals = await Promise.all(
    [
      'mysql://me:pears@localhost/work',
      'postgres://me:pears@localhost',
      `postgres://handraise:pears@127.0.0.1:${port}/postgres`,
      'postgres://handraise:pears@127.0.0.1:1/postgres',
      server.url('nowhere'),
      `postgres://handraise:pears@127.0.0.1:${port}/postgres?sslmode=verify-full`,
    ].map(async (store) => await cli.run('up', '--store', store)),
  );

  expect(refusals.map(({ code, stderr }) => [code, stderr.replaceAll(String(port), 'PORT')])).toEqual([
    [64, expect.stringContaining('store must be the URL of a PostgreSQL database')],
    [78, expect.stringContaining('The store URL cannot be used.')],
    [77, expect.stringContaining('PostgreSQL refuses the login handraise@127.0.0.1:PORT/postgres')],
    [
      69,
      expect.stringContaining(
        'PostgreSQL at handraise@127.0.0.1:1/postgres cannot be reached (ECONNREFUSED)',
      ),
    ],
    [78, expect.stringContaining('There is no such database: handraise@127.0.0.1:PORT/nowhere')],
    [78, expect.stringContaining('No secure connection to handraise@127.0.0.1:PORT/postgres')],
  ]);
  expect(refusals.map(({ stderr }) => stderr).join('\n')).not.toContain('pears');
});

it('answers a question after kill -9 of worker, agent and database, and finds everything again', async () => {
  expect(await cli.json('up', '-d', '--store', url)).toMatchObject({ isNew: true });
  const dispatch = (await cli.run('run', '-d', asks)).stdout.trim();
  const prompt = await firstPrompt();

  await killEverything();
  expect(await cli.run('inbox')).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('is kept in PostgreSQL'),
  });
  await server.up();
  expect(await cli.json('up', '-d', '--store', url)).toMatchObject({ isNew: true });
  expect((await cli.run('answer', prompt, 'Red')).code).toBe(0);

  expect((await cli.run('wait', dispatch)).code).toBe(0);
  expect((await cli.run('logs', dispatch)).stdout).toContain('As you wish.');
  expect(await cli.json('search', 'colour')).toMatchObject({ threads: [{ id: expect.any(String) }] });
});

it('cannot be started twice, and prunes what is over', async () => {
  const again = await cli.run('up', '--store', url);
  expect([again.code, again.stderr]).toEqual([75, expect.stringContaining('Another worker')]);
  expect((await cli.run('prune', '--older-than', '0')).code).toBe(0);
  expect(await cli.json('ls')).toEqual([]);
});

it('is shared by two workers that start at once: each works in its own threads, and answers are taken at either', async () => {
  await cli.run('down');
  const other = (...args: string[]) => cli.start(args, { env: { HANDRAISE_HOME: `${cli.home}-2` } });
  const ups = [cli.start(['up', '-d', '--store', url]), other('up', '-d', '--store', url)];
  expect(await Promise.all(ups.map(async ({ finished }) => (await finished).code))).toEqual([0, 0]);

  const dispatch = (await cli.run('run', '-d', asks)).stdout.trim();
  const prompt = await firstPrompt();
  expect((await other('inbox', '-q').finished).stdout.trim()).toBe(prompt);
  const watching = other('logs', '-f', dispatch);
  await watching.saying('Which colour?');
  const [thread] = (await cli.json('ls', '-n', '1')) as { id: string }[];
  expect(await other('rename', thread?.id ?? '', 'other-name').finished).toMatchObject({
    code: 65,
    stderr: expect.stringMatching(/is worked on by worker-\w{6}\. Ask that worker\./),
  });
  expect((await other('answer', prompt, 'Red').finished).code).toBe(0);
  expect((await cli.run('answer', prompt, 'Blue')).code).toBe(65);
  expect((await watching.finished).stdout).toContain('As you wish.');
  expect((await cli.run('wait', dispatch)).code).toBe(0);

  const more = (await other('run', '-d', '--thread', thread?.id ?? '', asks).finished).stdout.trim();
  const next = await firstPrompt();
  await killRunners();
  expect((await other('answer', next, 'Blue').finished).code).toBe(0);
  expect((await other('wait', more).finished).code).toBe(0);

  const works = ['a', 'b', 'c', 'd'].map((name, index) => {
    const args = ['run', '--command', `sh -c "echo ${name} >> ${name}"`, name];
    return index % 2 === 0 ? cli.start(args) : other(...args);
  });
  expect(await Promise.all(works.map(async ({ finished }) => (await finished).code))).toEqual([0, 0, 0, 0]);
  const tries = await server.sql(
    `select count(distinct lease_worker) as workers, max(lease_epoch) as most from dispatches where text in ('a', 'b', 'c', 'd')`,
    'place_1',
  );
  expect(tries).toEqual([{ workers: '2', most: 1 }]);
  await other('down', '--stop-agents').finished;
});

it('is left by a worker that drains: what runs there ends, what is asked there is answered, nothing new begins, and it can be stopped', async () => {
  const home = { env: { HANDRAISE_HOME: `${cli.home}-3` } };
  const other = async (...args: string[]) => await cli.start(args, home).finished;
  await other('up', '-d', '--store', url, '--name', 'leaving');
  const onOther = ['run', '-d', '--on', 'leaving'];
  // A folder of its own: in that of the other work it would keep its agent out.
  const folder = join(cli.stage.workspace, 'long');
  mkdirSync(folder);
  const running = (
    await cli.run(
      ...onOther,
      '-C',
      folder,
      '--command',
      'sh -c "until [ -e go ]; do sleep 0.1; done"',
      'long',
    )
  ).stdout;
  await waitUntil('it runs there', async () => {
    const [row] = await server.sql(`select state from dispatches where id = '${running.trim()}'`, 'place_1');
    return row?.['state'] === 'running';
  });
  const asked = (await cli.run(...onOther, asks)).stdout.trim();
  const prompt = await firstPrompt();

  const drained = await cli.run('worker', 'drain', 'leaving');
  expect([drained.code, drained.stderr]).toEqual([
    0,
    'handraise: leaving takes no new work. 2 still under way there. To see how many are left: handraise worker ls\n',
  ]);
  expect((await cli.run('worker', 'ls')).stdout).toMatch(/^leaving +draining /m);
  expect(await cli.run(...onOther, 'more')).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('takes no new work'),
  });
  expect((await cli.run('answer', prompt, 'Red')).code).toBe(0);
  expect((await cli.run('wait', asked)).code).toBe(0);
  writeFileSync(join(folder, 'go'), '');
  expect((await cli.run('wait', running.trim())).code).toBe(0);
  const attempts = await server.sql(
    `select count(*)::int as tries from attempts where dispatch_id in ('${asked}', '${running.trim()}')`,
    'place_1',
  );
  expect(attempts).toEqual([{ tries: 2 }]);

  expect((await cli.run('worker', 'drain', 'leaving')).stderr).toContain(
    'nothing is under way there. It can be stopped.',
  );
  expect((await other('down', '--stop-agents')).code).toBe(0);
  const alive = await server.sql(
    `select 1 from runs r join threads t on t.id = r.thread_id join workers w on w.id = t.worker_id
     where w.name = 'leaving' and r.ended_at is null`,
    'place_1',
  );
  expect(alive).toEqual([]);

  // It is still draining when it is started again, until that is taken back.
  await other('up', '-d', '--store', url, '--name', 'leaving');
  expect((await cli.run('worker', 'ls')).stdout).toMatch(/^leaving +draining /m);
  expect((await cli.run('worker', 'drain', '--undo', 'leaving')).stderr).toBe(
    'handraise: leaving takes work again.\n',
  );
  const done = (await cli.run(...onOther, '--command', 'true', 'again')).stdout.trim();
  expect((await cli.run('wait', done)).code).toBe(0);
  await other('down', '--stop-agents');
});

/** The worker, its runners and their agents, and the server. */
async function killEverything(): Promise<void> {
  process.kill(cli.workerPid(), 'SIGKILL');
  await killRunners();
  await server.kill();
}

async function killRunners(): Promise<void> {
  const runs = await server.sql('select process from runs where ended_at is null', 'place_1');
  for (const { process: identity } of runs)
    process.kill(-Number(JSON.parse(String(identity)).pid), 'SIGKILL');
}

async function firstPrompt(): Promise<string> {
  let found: string[] = [];
  await waitUntil('somebody asks', async () => {
    found = (await cli.run('inbox', '-q')).stdout.trim().split('\n');
    return found[0] !== '';
  });
  return String(found[0]);
}
