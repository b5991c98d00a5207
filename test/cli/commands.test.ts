import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
});
afterAll(() => cli[Symbol.asyncDispose]());

const commands = [
  ['run'],
  ['wait'],
  ['cancel'],
  ['retry'],
  ['send'],
  ['rename'],
  ['inbox'],
  ['answer'],
  ['approve'],
  ['deny'],
  ['ls'],
  ['search'],
  ['show'],
  ['logs'],
  ['status'],
  ['diff'],
  ['comments'],
  ['comments', 'list'],
  ['comments', 'add'],
  ['comments', 'send'],
  ['comments', 'edit'],
  ['comments', 'resolve'],
  ['comments', 'rm'],
  ['merge'],
  ['apply'],
  ['pr'],
  ['discard'],
  ['archive'],
  ['snooze'],
  ['rule'],
  ['rule', 'add'],
  ['rule', 'ls'],
  ['rule', 'show'],
  ['rule', 'on'],
  ['rule', 'withdraw'],
  ['rm'],
  ['prune'],
  ['export'],
  ['import'],
  ['up'],
  ['down'],
  ['token'],
  ['token', 'add'],
  ['token', 'ls'],
  ['token', 'rm'],
  ['token', 'rotate'],
  ['token', 'show'],
  ['config'],
  ['config', 'ls'],
  ['config', 'get'],
  ['config', 'set'],
  ['config', 'unset'],
  ['config', 'path'],
  ['config', 'trust'],
  ['completion'],
];

it('helps with examples, and takes --json everywhere', { tags: ['full'] }, async () => {
  for (const command of commands) {
    const { code, stdout } = await cli.run(...command, '--help');
    expect([command, code, stdout.includes('Examples:\n  $ ')]).toEqual([command, 0, true]);
    const isGroup = stdout.includes('\nCommands:\n') || command[0] === 'completion';
    expect([command, isGroup || stdout.includes('--json ')]).toEqual([command, true]);
  }
});

it.each([
  [['rnu'], 64, '(Did you mean run?)'],
  [['run', '--modle', 'x', 'text'], 64, '(Did you mean --model?)'],
  [['run'], 64, 'Say what to do'],
  [['run', '--permissions', 'all', 'text'], 64, 'Allowed choices are approval, autonomous.'],
  [
    ['run', '--runtime', 'emacs', 'text'],
    64,
    'runtime must be claude, codex, opencode, amp, exec, acp:NAME or npm:NAME, not "emacs".',
  ],
  [['run', '--label', 'x', 'text'], 64, 'Write a label as key=value.'],
  [['run', '--timeout', 'soon', 'text'], 64, 'It must be a number of seconds greater than 0.'],
  [
    ['run', '-C', '/nowhere/at/all', 'text'],
    66,
    'The workspace /nowhere/at/all does not exist or is not a folder.',
  ],
  [['run', '--attach', 'none.png', 'text'], 66, 'Cannot read the attachment none.png'],
  [['answer', 'prm_x'], 64, 'Give one answer'],
  [['answer', 'prm_x', '--json-answers', '{}'], 65, '--json-answers must be JSON of this form: [{'],
  [['approve', 'prm_x', '--edit', '[]'], 65, '--edit must be a JSON object'],
  [['show', 'prm_x'], 66, 'No thread, dispatch or question has an id that starts or ends with "prm_x"'],
  [['status', '--explain'], 64, 'Name the thread'],
  [['config', 'set', 'slots', 'many'], 65, 'slots must be a whole number, 1 or more, not "many".'],
  [['config', 'get', 'slotz'], 64, 'There is no setting "slotz". Did you mean slots?'],
  [['token', 'rm', 'nobody'], 66, 'There is no token named nobody'],
])('%j exits %i with a sentence', { tags: ['full'] }, async (args, code, words) => {
  await cli.run('up', '-d');
  const { stderr, ...rest } = await cli.run(...args);
  expect([rest, stderr]).toEqual([{ code, stdout: '' }, expect.stringContaining(words)]);
  expect(stderr).not.toContain('This is a bug');
});

it('manages tokens, and uses them at once', async () => {
  const { url } = (await cli.json('up', '-d')) as { url: string };
  const made = (await cli.json('token', 'add', 'phone')) as { token: string };
  const elsewhere = { HANDRAISE_URL: url, HANDRAISE_TOKEN: made.token, HANDRAISE_HOME: '/nowhere' };
  expect((await cli.start(['ls', '--json'], { env: elsewhere }).finished).stdout).toBe('[]\n');
  expect(await cli.json('token', 'ls')).toMatchObject([{ name: 'phone', scope: 'full' }]);
  expect((await cli.run('token', 'ls')).stdout).toMatch(
    /^NAME {3}SCOPE {2}AGE {2,}LIMITS\nphone {2}full {3}\d+ s\n$/,
  );

  await cli.run('token', 'rm', 'phone');
  expect(await cli.start(['ls'], { env: elsewhere }).finished).toMatchObject({ code: 77 });
  const before = (await cli.run('token', 'show')).stdout;
  expect((await cli.run('token', 'rotate')).code).toBe(0);
  expect((await cli.run('token', 'show')).stdout).not.toBe(before);
  expect((await cli.run('ls')).code).toBe(0);
});

it('keeps settings, and says where each comes from', async () => {
  expect((await cli.run('config', 'set', 'allowedHosts', 'a.example,b.example')).code).toBe(0);
  const file = (await cli.run('config', 'path')).stdout.trim();
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ allowedHosts: ['a.example', 'b.example'] });
  expect((await cli.run('config', 'get', 'allowedHosts')).stdout).toBe('a.example,b.example\n');
  expect(await cli.json('config')).toContainEqual({
    key: 'port',
    value: 0,
    origin: 'HANDRAISE_PORT',
    about: 'port of the API and the web console',
  });
  expect((await cli.run('config', 'set', 'port', '8000')).stderr).toContain(
    'HANDRAISE_PORT overrides the file',
  );
  await cli.run('config', 'unset', 'allowedHosts');
  await cli.run('config', 'unset', 'port');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({});
});

it("shows a project's own code before it is trusted", { tags: ['full'] }, async () => {
  await cli.run('up', '-d');
  const project = join(cli.stage.home, 'project');
  await mkdir(project);
  expect((await cli.run('config', 'trust', project)).stderr).toContain('There is nothing to approve');

  await writeFile(join(project, '.mcp.json'), '{"mcpServers":{"x":{"command":"evil"}}}');
  const asked = await cli.run('config', 'trust', project);
  expect([asked.code, asked.stdout]).toEqual([2, '.mcp.json\n{"mcpServers":{"x":{"command":"evil"}}}\n\n']);
  expect(await cli.json('config', 'trust', project, '--yes')).toMatchObject({ approved: true });
  expect((await cli.run('config', 'trust', project)).stderr).toContain(
    'already approved these files as they are',
  );
  await writeFile(join(project, '.mcp.json'), '{"mcpServers":{"x":{"command":"worse"}}}');
  expect((await cli.run('config', 'trust', project)).code).toBe(2);
});

it('completes commands, options, choices, settings and live ids', { tags: ['full'] }, async () => {
  await cli.run('up', '-d');
  const made = (await cli.run('run', '-d', '[[text Hi.]]')).stdout.trim();
  const completed = async (...words: string[]) =>
    (await cli.run('__complete', '--', ...words)).stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]);

  expect(await completed('co')).toEqual(['console', 'comments', 'container', 'config', 'completion']);
  expect(await completed('config', 'un')).toEqual(['unset']);
  expect(await completed('config', 'get', 'keepS')).toEqual(['keepSpare']);
  expect(await completed('run', '--permission-')).toEqual(['--permission-mode']);
  expect(await completed('run', '--permissions', '')).toEqual(['approval', 'autonomous']);
  expect(await completed('wait', 'dsp_')).toEqual([made]);
  expect(await completed('run', '--thread', 'thr_')).toHaveLength(1);
  await cli.run('wait', made);
});

it('prints scripts that the shells understand', async () => {
  const bash = (await cli.run('completion', 'bash')).stdout;
  const check = spawn('bash', [
    '-c',
    `${bash}\nhandraise() { printf 'show\\tabout\\nsend\\tabout\\n'; }
COMP_WORDS=(handraise s); COMP_CWORD=1; _handraise; echo "\${COMPREPLY[@]}"`,
  ]);
  expect(await text(check.stdout)).toBe('show send\n');
  for (const shell of ['zsh', 'fish']) {
    expect((await cli.run('completion', shell)).stdout).toContain('handraise __complete -- ');
  }
});

it('ends quietly when its reader goes', async () => {
  const child = spawn('sh', ['-c', '"$0" "$1" config ls | head -1', process.execPath, 'bin/handraise.js'], {
    cwd: new URL('../..', import.meta.url).pathname,
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect([stdout.startsWith('SETTING'), stderr]).toEqual([true, '']);
});
