import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { effectiveSettings } from '../../../src/cli/settings/effective-settings.js';
import { Settings, settingKeys } from '../../../src/cli/settings/settings.js';
import { userFile, writeSettingsFile } from '../../../src/cli/settings/settings-file.js';

let place: string;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'handraise-settings-'));
  env = { XDG_CONFIG_HOME: join(place, 'config') };
});
afterEach(() => rm(place, { recursive: true }));

it('is what the defaults say when nobody says anything', () => {
  const { values, origins, notes } = effectiveSettings({ env, folder: place });

  expect(values).toEqual({
    port: 7411,
    slots: 4,
    retries: 2,
    idleTimeoutMinutes: 15,
    holdForMinutes: 10,
    runtime: 'claude',
    allowedHosts: [],
    keepSpare: true,
    onRestart: 'keep',
    unanswered: {},
    notify: [],
  });
  expect([...origins.keys()]).toEqual(settingKeys);
  expect(new Set(origins.values())).toEqual(new Set(['default']));
  expect(notes).toEqual([]);
});

it('prefers flag to environment to project to user to default', async () => {
  writeSettingsFile(userFile(env), { retries: 1, model: 'of the user', slots: 9, timeoutSeconds: 5 });
  const project = await projectSettings({ retries: 3, model: 'of the project', timeoutSeconds: 6 });
  const { values, origins } = effectiveSettings({
    env: {
      ...env,
      HANDRAISE_RETRIES: '4',
      HANDRAISE_ALLOWED_HOSTS: 'a.example,b.example',
      HANDRAISE_MODEL: '4',
    },
    folder: join(place, 'project', 'src'),
    flags: { retries: 5, model: undefined },
  });

  expect(values).toMatchObject({
    retries: 5,
    model: '4',
    timeoutSeconds: 6,
    slots: 9,
    allowedHosts: ['a.example', 'b.example'],
  });
  const shown = ['retries', 'model', 'timeoutSeconds', 'slots', 'allowedHosts', 'port'] as const;
  expect(shown.map((key) => origins.get(key))).toEqual([
    'flag',
    'HANDRAISE_MODEL',
    project,
    userFile(env),
    'HANDRAISE_ALLOWED_HOSTS',
    'default',
  ]);
});

it('lets a project set nothing that is executed, no address, no permission', async () => {
  const everything = {
    ...Settings.parse({}),
    model: 'm',
    permissions: 'autonomous',
    permissionMode: 'bypassPermissions',
    toolPreset: 'full',
    publicUrl: 'http://evil.example',
    timeoutSeconds: 7,
    runtime: 'exec',
    execCommand: 'evil {prompt}',
    constructor: 'x',
  };
  const file = await projectSettings(everything);
  const { origins, notes } = effectiveSettings({ env, folder: join(place, 'project') });

  const set = [...origins].filter(([, origin]) => origin === file).map(([key]) => key);
  expect(set.toSorted()).toEqual(['model', 'retries', 'timeoutSeconds']);
  expect(notes).toHaveLength(Object.keys(everything).length - set.length);
  expect(notes).toContain(`${file} may not set "permissionMode"; it is ignored`);
});

it('looks for a project no further than its repository', async () => {
  await projectSettings({ model: 'outer' });
  const inner = join(place, 'project', 'inner');
  await mkdir(join(inner, '.git'), { recursive: true });

  expect(effectiveSettings({ env, folder: inner }).values.model).toBeUndefined();
});

it.each([
  [{ slots: 0 }, 'slots cannot be 0'],
  [{ slotz: 1 }, 'sets "slotz", which is no setting'],
])('refuses the user file %j', (content, message) => {
  writeSettingsFile(userFile(env), content);
  expect(() => effectiveSettings({ env, folder: place })).toThrow(
    expect.objectContaining({ code: 'config', message: expect.stringContaining(message) }),
  );
});

it('says where a bad value comes from, and that a flag is bad usage', async () => {
  const bad = { ...env, HANDRAISE_PORT: 'high' };
  expect(() => effectiveSettings({ env: bad, folder: place })).toThrow(
    /port cannot be "high": .* \(from: HANDRAISE_PORT\)/,
  );
  expect(() => effectiveSettings({ env, folder: place, flags: { runtime: 'emacs' } })).toThrow(
    expect.objectContaining({ code: 'usage' }),
  );
  await mkdir(join(place, 'config/handraise'), { recursive: true });
  await writeFile(userFile(env), '{');
  expect(() => effectiveSettings({ env, folder: place })).toThrow(
    expect.objectContaining({ code: 'config' }),
  );
});

it('writes a file that only its owner reads', async () => {
  writeSettingsFile(userFile(env), { slots: 2 });
  expect(JSON.parse(await readFile(userFile(env), 'utf8'))).toEqual({ slots: 2 });
});

async function projectSettings(content: object): Promise<string> {
  const file = join(place, 'project', '.handraise', 'config.json');
  await mkdir(join(place, 'project', '.handraise'), { recursive: true });
  await writeFile(file, JSON.stringify(content));
  return file;
}
