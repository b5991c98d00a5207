// @module-tag full
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresServer } from '../harness/postgres-server.js';
import { type CliStage, openCliStage } from './cli-stage.js';

let server: PostgresServer;
let cli: CliStage;
beforeAll(async () => {
  server = await PostgresServer.start();
  cli = await openCliStage();
});
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

it('a home moves to PostgreSQL and goes on there; its worker is not started without the URL', async () => {
  const url = server.url(await server.createDatabase());
  const work = ['run', '-C', cli.stage.workspace, '--command', 'true'];
  expect((await cli.run(...work, '--name', 'first', 'One.')).code).toBe(0);
  const move = ['migrate', '--from', 'sqlite', '--to', url];
  expect(await cli.run(...move)).toMatchObject({
    code: 75,
    stderr: expect.stringContaining('Another worker'),
  });
  expect(await cli.run('migrate', '--from', 'sqlite', '--to', 'postgres')).toMatchObject({ code: 64 });

  expect((await cli.run('down', '--stop-agents')).code).toBe(0);
  const moved = await cli.run(...move);
  expect(moved).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('the counts of both places agree'),
  });
  expect(moved.stdout).toMatch(/^workers\t1\t1\nthreads\t1\t1\nruns\t1\t1\ndispatches\t1\t1\n/);
  expect(moved.stdout + moved.stderr).not.toContain('p@ss');
  expect(await cli.run(...move)).toMatchObject({ code: 65, stderr: expect.stringContaining('not empty') });
  expect(await cli.run('up', '-d')).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('is kept in PostgreSQL'),
  });

  expect((await cli.run('up', '-d', '--store', url)).code).toBe(0);
  expect(await cli.json('ls')).toMatchObject([{ name: 'first' }]);
  expect((await cli.run(...work, '--name', 'second', 'Two.')).code).toBe(0);
  expect((await cli.run('down', '--stop-agents')).code).toBe(0);
  const file = join(cli.stage.home, 'back.db');
  expect(await cli.run('migrate', '--from', url, '--to', file)).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(true);
});
