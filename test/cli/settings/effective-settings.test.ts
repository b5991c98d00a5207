import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { effectiveSettings } from '../../../src/cli/settings/effective-settings.js';
import { Settings, settingKeys, workingRuntimes } from '../../../src/cli/settings/settings.js';
import { userFile, writeSettingsFile } from '../../../src/cli/settings/settings-file.js';
import { loadProfiles } from '../../../src/compose.js';

const program = new URL('../../../bin/handraise.js', import.meta.url).pathname;

function touched(file: string): string {
  closeSync(openSync(file, 'w'));
  return file;
}

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
    acpAgents: {},
    claudeUserSettings: false,
    container: false,
    containerEngine: 'docker',
    containerEnv: [],
    containerHosts: [],
    containerMemory: '4g',
    elicitingTools: [],
    runtimes: {},
    port: 7411,
    runnerDeadlineSeconds: 120,
    sharedFolders: [],
    workerLabels: [],
    skills: {},
    slots: 4,
    retries: 2,
    idleTimeoutMinutes: 15,
    holdForMinutes: 10,
    undoSeconds: 5,
    toolOutputLimit: 2 ** 20,
    runtime: 'claude',
    allowedHosts: [],
    keepNotificationsDays: 7,
    keepWorktreesDays: 14,
    keepSpare: true,
    telemetryTexts: false,
    onRestart: 'keep',
    onSuccess: 'keep',
    repositories: {},
    repositoryMegabytes: 10_240,
    repositoryProtocols: ['https', 'ssh'],
    worktreePorts: { from: 20_000, to: 29_999 },
    watchSeconds: 60,
    unanswered: {},
    notify: [],
    observable: false,
    observableIdleSeconds: 30,
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

it('prefers what the user says for a repository to what the project says', async () => {
  const project = await projectSettings({
    model: 'of the project',
    retries: 3,
    setupScripts: [],
    copyFiles: [],
    ports: 1,
  });
  const folder = join(place, 'project');
  await mkdir(join(folder, '.git'), { recursive: true });
  const repositories = {
    [folder]: { model: 'of the user here', setup: 'npm ci', ports: 3 },
    '/elsewhere': { retries: 9 },
  };
  writeSettingsFile(userFile(env), { model: 'of the user', repositories });
  const { values, origins, notes } = effectiveSettings({ env, folder: join(folder, 'src') });

  expect(values).toMatchObject({ model: 'of the user here', retries: 3, repositories });
  expect([origins.get('model'), origins.get('retries')]).toEqual([userFile(env), project]);
  // What the worker reads for a worktree is no mistake.
  expect(notes).toEqual([]);
});

it.each([
  [{ '/a': { setup: '' } }, 'repositories./a.setup'],
  [{ '/a': { command: 'x' } }, 'repositories./a'],
  [{ shop: {} }, 'repositories.shop'],
  [{ '/a': { ports: 1000 } }, 'repositories./a.ports'],
])('refuses repositories %j and says where', (repositories, where) => {
  writeSettingsFile(userFile(env), { repositories });
  expect(() => effectiveSettings({ env, folder: place })).toThrow(`In ${where}`);
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
  // The worst first, because a file with more than thirty is not told about line by line.
  const file = await projectSettings(Object.fromEntries(Object.entries(everything).toReversed()));
  const { origins, notes } = effectiveSettings({ env, folder: join(place, 'project') });

  const set = [...origins].filter(([, origin]) => origin === file).map(([key]) => key);
  expect(set.toSorted()).toEqual(['model', 'retries', 'timeoutSeconds']);
  const more = Object.keys(everything).length - set.length - 30;
  expect(notes.at(-1)).toBe(`Ignored ${more} more settings in ${file}.`);
  expect(notes).toContain(`Ignored "permissionMode" in ${file}: a project file cannot set it.`);
});

it('CWE-117: a name in a project file cannot look like a line of ours', async () => {
  const file = await projectSettings({ 'x\nhandraise: Approved.\u202e': 1 });
  const { notes } = effectiveSettings({ env, folder: join(place, 'project') });
  expect(notes).toEqual([`Ignored "x handraise: Approved." in ${file}: a project file cannot set it.`]);
});

// CWE-150 and CWE-400: the file is the repository's, and may be no file at all.
it.each<[string, (file: string) => void, string]>([
  ['a pipe', (file) => execFileSync('mkfifo', [file]), 'it is not a regular file.'],
  ['a link to an endless device', (file) => symlinkSync('/dev/zero', file), 'it is not a regular file.'],
  ['a folder', (file) => mkdirSync(file), 'it is not a regular file.'],
  ['a file of a gigabyte', (file) => truncateSync(touched(file), 2 ** 30), 'it is larger than 262144 bytes.'],
])('does not wait for a project file that is %s, nor refuse work for it', async (_name, make, problem) => {
  const file = join(place, 'project', '.handraise', 'config.json');
  await mkdir(join(place, 'project', '.handraise'), { recursive: true });
  make(file);
  const { values, notes } = effectiveSettings({ env, folder: join(place, 'project') });
  expect(values.slots).toBe(4);
  expect(notes).toEqual([
    `Ignored the settings of the project. Cannot read the settings file ${file}: ${problem}`,
  ]);
});

it('prints nothing of a project file that a terminal would act on, and not all of very many', async () => {
  const evil = '\u001B]52;c;ZXZpbA==\u0007';
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${evil}k${index}`, 1]));
  await projectSettings({ ...many, model: `m${evil}` });
  for (const args of [
    ['config', 'ls'],
    ['config', 'get', 'model'],
    ['config', 'set', 'model', 'x'],
  ]) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], {
      cwd: join(place, 'project'),
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout + stderr).not.toContain('\u001B');
    expect(stderr.split('\n').length).toBeLessThan(40);
    expect(stderr).toContain('Ignored 4970 more settings');
  }
});

it('looks for a project no further than its repository', async () => {
  await projectSettings({ model: 'outer' });
  const inner = join(place, 'project', 'inner');
  await mkdir(join(inner, '.git'), { recursive: true });

  expect(effectiveSettings({ env, folder: inner }).values.model).toBeUndefined();
});

it.each([
  [{ slots: 0 }, 'slots must be a whole number, 1 or more, not 0.'],
  [{ slotz: 1 }, 'sets "slotz", which is not a setting.'],
])('refuses the user file %j', (content, message) => {
  writeSettingsFile(userFile(env), content);
  expect(() => effectiveSettings({ env, folder: place })).toThrow(
    expect.objectContaining({ code: 'config', message: expect.stringContaining(message) }),
  );
});

it('says where a bad value comes from, and that a flag is bad usage', async () => {
  const bad = { ...env, HANDRAISE_PORT: 'high' };
  expect(() => effectiveSettings({ env: bad, folder: place })).toThrow(
    /port must be a whole number from 0 to 65535, not "high"\. \(from: HANDRAISE_PORT\)/,
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

it('offers the runtimes that are built, and no others', async () => {
  const names = (await loadProfiles()).map(({ name }) => name);
  expect(workingRuntimes).toEqual(names.filter((name) => !name.startsWith('acp:')));
});

it('takes agents that speak ACP from the user alone', async () => {
  const acpAgents = { mine: { command: 'my-agent --acp', loadsProjectCode: true } };
  writeSettingsFile(userFile(env), { acpAgents, runtime: 'acp:mine' });
  const folder = join(place, 'project');
  const file = await projectSettings({
    runtime: 'acp:theirs',
    acpAgents: { mine: { command: 'rm -rf /' }, theirs: { command: 'evil' } },
  });
  const { values, notes } = effectiveSettings({ env, folder });
  expect([values.runtime, values.acpAgents]).toEqual(['acp:mine', acpAgents]);
  expect(notes).toEqual([
    `Ignored "runtime" in ${file}: a project file cannot set it.`,
    `Ignored "acpAgents" in ${file}: a project file cannot set it.`,
  ]);
  for (const bad of [
    { 'a b': { command: 'x' } },
    { a: { command: '' } },
    { a: { command: 'x', shell: true } },
  ]) {
    writeSettingsFile(userFile(env), { acpAgents: bad });
    expect(() => effectiveSettings({ env, folder: place })).toThrow(/acpAgents must be agents by name/);
  }
  expect(() => effectiveSettings({ env: {}, folder: place, flags: { runtime: 'acp:a b' } })).toThrow(
    expect.objectContaining({ code: 'usage' }),
  );
});
