import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { runnerFile } from './driver.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

function run(args: readonly string[], env: Record<string, string> = stage.env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [runnerFile, ...args], {
    cwd: stage.workspace,
    env,
    input: '',
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('a bad argument', () => {
  it.each([
    ['--no-such-flag', ['--no-such-flag']],
    ['a word', ['hello']],
    ['--fork', ['--fork']],
    ['--resume', ['--resume']],
    ['--resume', ['--resume', '']],
    ['--cwd', ['--cwd']],
    ['--tool-preset', ['--tool-preset', 'everything']],
    ['--permission-mode', ['--permission-mode', 'yolo']],
    ['--setting-sources', ['--setting-sources', 'project,home']],
    ['--runtime', ['--runtime', 'hal9000']],
    ['--structured-output', ['--structured-output', '{not json']],
    ['--structured-output', ['--structured-output', '"a string"']],
    ['--structured-output', ['--structured-output', '{"type":"nonsense"}']],
    ['--max-turns', ['--max-turns', '0']],
    ['--max-turns', ['--max-turns', '1.5']],
    ['--max-turns', ['--max-turns', 'many']],
    ['--max-budget-usd', ['--max-budget-usd', '-1']],
    ['--max-budget-usd', ['--max-budget-usd', '']],
    ['--max-thinking-tokens', ['--max-thinking-tokens', 'NaN']],
    ['--model', ['--model', '']],
  ])('[exit 64] %s is refused with one line that names it: %j', (name, args) => {
    const { status, stdout, stderr } = run(args);
    expect([status, stdout]).toEqual([64, '']);
    expect(stderr).toMatch(/^handraise-runner: [^\n]+\n$/);
    if (name.startsWith('--')) expect(stderr).toContain(name);
  });

  it.each([
    ['[arg --cwd]', ['--cwd', 'not-there']],
    ['[arg --instructions-file]', ['--instructions-file', 'not-there.md']],
    ['[arg --mcp-servers-file]', ['--mcp-servers-file', 'not-there.json']],
  ])('%s [exit 66] that is missing', (name, args) => {
    const { status, stdout, stderr } = run(args);
    expect([status, stdout]).toEqual([66, '']);
    expect(stderr).toMatch(/^handraise-runner: [^\n]+\n$/);
    expect(stderr).toContain(name.slice(5, -1));
    expect(stderr).toContain('not-there');
  });

  it('[arg --cwd] that is a file, and a file that is a folder, exit 66', async () => {
    await writeFile(join(stage.workspace, 'file'), '');
    await mkdir(join(stage.workspace, 'folder'));
    expect(run(['--cwd', 'file']).status).toBe(66);
    expect(run(['--instructions-file', 'folder']).status).toBe(66);
  });

  it.each(['{', '[]', '{"mcpServers":{"x":{"type":"carrier-pigeon","url":"y"}}}', '{"mcpServers":{"x":{}}}'])(
    '[arg --mcp-servers-file] [exit 65] that is malformed: %s',
    async (text) => {
      await writeFile(join(stage.workspace, 'mcp.json'), text);
      const { status, stdout, stderr } = run(['--mcp-servers-file', 'mcp.json']);
      expect([status, stdout]).toEqual([65, '']);
      expect(stderr).toMatch(/^handraise-runner: --mcp-servers-file[^\n]+\n$/);
    },
  );

  it.runIf(process.getuid?.() === 0)(
    '[mode bypassPermissions] [exit 77] as root outside a sandbox says how to allow it',
    () => {
      const { IS_SANDBOX: _, ...env } = stage.env;
      const { status, stdout, stderr } = run([], env);
      expect([status, stdout]).toEqual([77, '']);
      expect(stderr).toContain('IS_SANDBOX=1');
      expect(stage.simulator.requests).toEqual([]);
    },
  );

  it('--help and --version print and exit 0', () => {
    const help = run(['--help']);
    expect([help.status, help.stdout.startsWith('Usage: handraise-runner'), help.stderr]).toEqual([
      0,
      true,
      '',
    ]);
    expect(run(['--version'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});
