import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { openCliStage } from './cli-stage.js';

const handbook = new URL('../../docs/troubleshooting.md', import.meta.url);

const Page = z.object({
  ok: z.boolean(),
  lines: z.array(
    z.object({
      part: z.string(),
      name: z.string(),
      state: z.string(),
      says: z.string(),
      fix: z.string().optional(),
    }),
  ),
});

async function open() {
  const cli = await openCliStage();
  onTestFinished(async () => await cli[Symbol.asyncDispose]());
  return cli;
}

test('a page of an installation that is well, and of its worker', { tags: ['full'] }, async () => {
  const cli = await open();
  expect(await cli.run('run', '[[text Done.]]')).toMatchObject({ code: 0 });
  const { code, stdout } = await cli.run('doctor');
  expect(stdout).toMatch(/✓ Node\.js/);
  expect(stdout).toMatch(/✓ worker +process \d+, version/);
  expect(stdout).toMatch(/✓ claude +[\d.]+; 13 of 13 signals work, tested with this version/);
  expect(stdout).toContain('Nothing has to be mended.');
  expect(code).toBe(0);
});

test('a broken installation: each thing that is wrong is a line of its own with its fix', async () => {
  const cli = await open();
  const { stage, home } = cli;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'store.db'), 'no database at all');
  writeFileSync(join(home, 'token'), 'secret');
  chmodSync(join(home, 'token'), 0o644);
  const codex = join(stage.home, 'codex');
  writeFileSync(codex, 'no program\0');
  chmodSync(codex, 0o755);
  const broken = {
    PATH: '/nowhere',
    ANTHROPIC_API_KEY: '',
    ANTHROPIC_BASE_URL: '',
    HANDRAISE_CODEX: codex,
    HANDRAISE_SLOTS: 'many',
  };
  const { code, stdout } = await cli.start(['doctor', '--json'], { env: broken }).finished;
  expect(code).toBe(1);
  const { ok, lines } = Page.parse(JSON.parse(stdout));
  expect(ok).toBe(false);
  const wrong = lines.filter(({ state }) => state !== 'good');
  for (const line of wrong) expect(line.fix ?? line.says).toMatch(/[.:]/);
  expect(wrong.filter(({ state }) => state === 'broken')).toEqual([
    expect.objectContaining({ name: 'git', fix: 'Install git.' }),
    expect.objectContaining({
      name: 'settings',
      says: expect.stringContaining('slots'),
      fix: 'Correct HANDRAISE_SLOTS, or unset it.',
    }),
    expect.objectContaining({ name: 'token', fix: expect.stringContaining('chmod 600') }),
    expect.objectContaining({ name: 'store', fix: expect.stringContaining('backup') }),
    expect.objectContaining({ name: 'claude', fix: expect.stringContaining('ANTHROPIC_API_KEY') }),
  ]);
  expect(wrong).toContainEqual(
    expect.objectContaining({ name: 'codex', says: expect.stringContaining('cannot be started') }),
  );
  expect(wrong).toContainEqual(expect.objectContaining({ name: 'opencode', state: 'absent' }));
  const page = await cli.start(['doctor'], { env: broken }).finished;
  expect(page.stdout).toContain('→ Install git.');
  expect(page.stdout).toContain('5 things have to be mended.');
  const documented = /```text\n(Installation\n.*?)```/s.exec(readFileSync(handbook, 'utf8'))?.[1] ?? '';
  const seen = page.stdout.replaceAll(home, '~/.local/state/handraise').replaceAll(stage.home, '~');
  expect(withoutVersions(seen)).toBe(withoutVersions(documented));
  writeFileSync(join(home, 'worker.json'), '{}', { mode: 0o600 });
  const damaged = Page.parse(
    JSON.parse((await cli.start(['doctor', '--json'], { env: broken }).finished).stdout),
  );
  expect(damaged.lines).toContainEqual(
    expect.objectContaining({ name: 'worker', state: 'broken', says: expect.stringContaining('is damaged') }),
  );
});

function withoutVersions(page: string): string {
  return page.replaceAll(/^(✓ (?:Node\.js|Handraise) +)[\w.-]+$/gm, '$1…');
}

test('where agents work in containers, an engine that is not there is a thing to mend', async () => {
  const cli = await open();
  const env = { PATH: '/nowhere', HANDRAISE_CONTAINER: 'true' };
  const { code, stdout } = await cli.start(['doctor', '--json'], { env }).finished;
  expect(code).toBe(1);
  expect(Page.parse(JSON.parse(stdout)).lines.at(-1)).toEqual({
    part: 'Containers',
    name: 'docker',
    state: 'broken',
    says: 'Docker is not installed: there is no docker in the PATH.',
    fix: 'Install it, or choose another engine: handraise config set containerEngine podman',
  });
});
