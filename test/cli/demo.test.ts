import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ownName } from '../../src/cli/own-name.js';

const program = new URL('../../bin/handraise.js', import.meta.url).pathname;

test('a program says how it is called from any folder', async () => {
  const bin = await realpath(await mkdtemp(join(tmpdir(), 'bin-')));
  await writeFile(join(bin, 'handraise'), '');
  expect([
    ownName({ PATH: `/nowhere:${bin}` }, '/lib/handraise/bin/handraise.js'),
    ownName({ PATH: '/nowhere' }, '/checkout/bin/handraise.js'),
    ownName({ PATH: bin }, '/home/you/.npm/_npx/1/node_modules/handraise/bin/handraise.js'),
  ]).toEqual(['handraise', 'node /checkout/bin/handraise.js', 'npx handraise']);
});

test('the demo ends with a line that works as it is printed, from another folder', {
  tags: ['full'],
}, async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'd-')));
  const env = { ...process.env, TMPDIR: folder, NO_COLOR: '1', ANTHROPIC_API_KEY: 'never-used' };
  const shown = await output(process.execPath, [program, 'demo'], { cwd: folder, env });
  const line = /HANDRAISE_HOME=\S+ \S.* logs thr_\w+/.exec(shown)?.[0] ?? '';
  const elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere);
  const again = await output('sh', ['-c', line], { cwd: elsewhere, env });
  expect(again).toContain('announcement.md is written.');
  await output('sh', ['-c', line.replace(/logs .*/, 'down --stop-agents')], { cwd: elsewhere, env });
});

async function output(
  file: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  return await text(child.stdout);
}
