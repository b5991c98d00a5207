// @module-tag full
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
});
afterAll(() => cli[Symbol.asyncDispose]());

it('a backup is written while the worker runs, overwrites nothing, and what it says brings the work back', async () => {
  const folder = join(cli.stage.home, 'backups');
  mkdirSync(folder);
  const file = join(folder, 'monday.db');
  const work = async (name: string) =>
    expect((await cli.run('run', '-C', folder, '--name', name, '--command', 'true', name)).code).toBe(0);
  await work('before');

  const backup = await cli.run('backup', file);
  const store = join(cli.home, 'store.db');
  expect(backup).toMatchObject({ code: 0, stdout: `${file}\n` });
  expect(backup.stderr).toMatch(
    /^handraise: Wrote \d.* To go back to it: handraise down --stop-agents, then cp /,
  );
  expect(backup.stderr).toContain(`cp ${file} ${store} and rm -f ${store}-wal, then handraise up.`);
  expect(await cli.run('backup', file)).toMatchObject({
    code: 65,
    stderr: expect.stringContaining(`${file} is there already`),
  });
  expect((await cli.run('backup', join(folder, 'no', 'x.db'))).code).toBe(66);

  await work('after');
  expect((await cli.run('down', '--stop-agents')).code).toBe(0);
  cpSync(file, store);
  rmSync(`${store}-wal`, { force: true });
  expect(existsSync(store)).toBe(true);
  expect(await cli.json('ls')).toMatchObject([{ name: 'before' }]);
});
