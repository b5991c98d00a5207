import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isForProjects } from '../../../src/cli/settings/settings.js';
import { outsideRuntime } from '../../../src/runtimes/outside/index.js';
import { readOutsideManifest } from '../../../src/runtimes/outside/manifest.js';
import { outsideProfiles } from '../../../src/runtimes/outside/profile.js';
import type { Launch } from '../../../src/runtimes/runtime.js';
import { openHostStage, refusal } from '../../host/host-stage.js';
import { exampleAgent, installedExample, linkedExample } from './example-package.js';

const installing = { env: {}, packageFolder: () => null };

test('work is done by an adapter of another package, which the settings name', async () => {
  const at = await openHostStage({ runtimes: { mine: linkedExample() } });
  const posture = { env: { MY_AGENT: exampleAgent } };
  const { outcome } = await at.done('[[text Hello from outside.]]', { runtime: 'npm:mine', posture });
  expect(outcome).toMatchObject({ result: 'succeeded', summary: 'Hello from outside.' });
  expect(await at.host.runtimes()).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'npm:mine', found: true, version: '1.0.0' })]),
  );
  expect(await refusal(at.work('x', { runtime: 'npm:other' }))).toMatchObject({
    code: 'config',
    message: expect.stringContaining('Add its package to runtimes in your settings'),
  });
  expect(
    await refusal(at.work('x', { runtime: 'npm:mine', posture: { permissionMode: 'default' } })),
  ).toMatchObject({ code: 'unsupported_by_runtime' });
});

test('work that an adapter refuses ends with its reason and code, at the first try', async () => {
  const at = await openHostStage({ runtimes: { mine: linkedExample() }, retries: 2 });
  const refused = await at.done('Hello', { runtime: 'npm:mine' });
  expect(refused).toMatchObject({
    attempts: [expect.anything()],
    outcome: { result: 'failed', exitCode: 78, reason: 'config', retriable: false },
  });
  const why = 'Say in MY_AGENT which program the agent is.';
  expect(refused.outcome?.summary).toBe(why);
  // Nobody has died.
  expect((await at.status(refused.threadId, 'stopped')).why).toBe(`the agent could not be started: ${why}`);
});

/** The example with another declaration. */
function declaring(handraise: unknown): string {
  const folder = installedExample();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', handraise }));
  return folder;
}

describe('the package of an adapter', () => {
  const capabilities = { permissionModes: ['bypassPermissions'] };

  test.each<[string, unknown, RegExp]>([
    ['nothing for us', undefined, /declares no runtime for Handraise: handraise: /],
    ['a module outside of it', { runtime: '../x.js', capabilities }, /must lie in the package/],
    [
      'a mode that is none',
      { runtime: './index.js', capabilities: { permissionModes: ['all'] } },
      /permissionModes/,
    ],
    [
      'an ability that is none',
      { runtime: './index.js', capabilities: { ...capabilities, flies: true } },
      /flies/,
    ],
  ])('that declares %s is refused with what is wrong', (_, handraise, why) => {
    expect(() => readOutsideManifest(declaring(handraise))).toThrow(why);
    const [profile] = outsideProfiles({ mine: declaring(handraise) }, () => null);
    expect(profile?.installed(installing)).toEqual({ found: false, missing: expect.stringMatching(why) });
  });

  test('that is not installed says so; npm is asked for a name, and nobody for a folder', () => {
    const [missing] = outsideProfiles({ mine: 'my-handraise-runtime' }, () => null);
    expect(missing?.installed(installing)).toEqual({
      found: false,
      missing: expect.stringContaining('npm install -g my-handraise-runtime'),
    });
    const folder = installedExample();
    const [found] = outsideProfiles({ mine: 'my-handraise-runtime' }, () => folder);
    expect(found?.installed(installing)).toEqual({ found: true, version: '1.0.0' });
  });

  test('whose module is none is refused, and what it refuses keeps its code', async () => {
    const empty = declaring({ runtime: './empty.js', capabilities });
    writeFileSync(join(empty, 'empty.js'), 'export const other = 1;');
    await expect(outsideRuntime('npm:mine', empty)).rejects.toThrow(/must export "runtime"/);
    const broken = declaring({ runtime: './broken.js', capabilities });
    writeFileSync(join(broken, 'broken.js'), 'throw new Error("no luck");');
    await expect(outsideRuntime('npm:mine', broken)).rejects.toThrow(/cannot be loaded: no luck/);
    const example = await outsideRuntime('npm:mine', installedExample());
    expect(() => example.check({ env: {} } as Launch)).toThrow(
      expect.objectContaining({ code: 'config', message: expect.stringContaining('MY_AGENT') }),
    );
  });

  test('is never named by the file of a project', () => {
    expect(isForProjects('runtimes', { mine: '/x' })).toBe(false);
    expect(isForProjects('runtime', 'npm:mine')).toBe(false);
  });
});
