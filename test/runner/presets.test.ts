import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolPreset } from '../../src/protocol/posture.js';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, subAgent, tool } from './prompting.js';
import { first, only } from './stable.js';

let stage: Stage;
let cwd: string;
let count = 0;
beforeAll(async () => {
  stage = await openStage('claude');
});
beforeEach(async () => {
  cwd = join(stage.home, `tree-${++count}`);
  await mkdir(cwd);
  await writeFile(join(cwd, 'a.txt'), 'alpha');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const at = (name: string) => join(cwd, name);
/** One tool in each preset: `yes` it runs, `no` it is refused, `-` not looked at. */
const tools: readonly { name: string; call: () => string; in: Record<ToolPreset, 'yes' | 'no' | '-'> }[] = [
  {
    name: 'Read',
    call: () => tool('Read', { file_path: at('a.txt') }),
    in: { full: 'yes', 'read-only': 'yes', 'no-bash': 'yes', 'safe-edit': 'yes' },
  },
  {
    // Claude Code has Glob and Grep only where it has no Bash.
    name: 'Glob',
    call: () => tool('Glob', { pattern: '*.txt' }),
    in: { full: '-', 'read-only': 'yes', 'no-bash': 'yes', 'safe-edit': 'yes' },
  },
  {
    name: 'Grep',
    call: () => tool('Grep', { pattern: 'alpha' }),
    in: { full: '-', 'read-only': 'yes', 'no-bash': 'yes', 'safe-edit': 'yes' },
  },
  {
    // It wants a file that was read, by the agent that edits it.
    name: 'Edit',
    call: () =>
      `${tool('Read', { file_path: at('a.txt') })} [[next]] ${tool('Edit', { file_path: at('a.txt'), old_string: 'alpha', new_string: 'alphabet' })}`,
    in: { full: 'yes', 'read-only': 'no', 'no-bash': 'yes', 'safe-edit': 'yes' },
  },
  {
    name: 'Write',
    call: () => tool('Write', { file_path: at('written.txt'), content: 'x' }),
    in: { full: 'yes', 'read-only': 'no', 'no-bash': 'yes', 'safe-edit': 'no' },
  },
  {
    name: 'Bash',
    call: () => bash('touch by-bash'),
    in: { full: 'yes', 'read-only': 'no', 'no-bash': 'no', 'safe-edit': 'no' },
  },
  {
    name: 'NotebookEdit',
    call: () => tool('NotebookEdit', { notebook_path: at('n.ipynb'), new_source: 'x' }),
    in: { full: '-', 'read-only': 'no', 'no-bash': '-', 'safe-edit': 'no' },
  },
  {
    name: 'mcp__handraise__get_session_status',
    call: () => tool('mcp__handraise__get_session_status'),
    in: { full: 'yes', 'read-only': 'yes', 'no-bash': 'yes', 'safe-edit': 'yes' },
  },
  {
    name: 'mcp__handraise__add_review_comment',
    call: () => tool('mcp__handraise__add_review_comment', { file: 'a.txt', line: 1, body: 'hm' }),
    in: { full: 'yes', 'read-only': 'no', 'no-bash': 'yes', 'safe-edit': 'no' },
  },
  {
    name: 'mcp__other__echo',
    call: () => tool('mcp__other__echo', { text: 'hi' }),
    in: { full: 'yes', 'read-only': 'no', 'no-bash': 'yes', 'safe-edit': 'no' },
  },
];

const byAgent = (call: string) => `${call} [[next]] [[text ok]]`;
const bySubAgent = (call: string) =>
  byAgent(subAgent(`${call.replaceAll('[[', '<<').replaceAll(']]', '>>')} <<next>> <<text ok>>`));

describe.each([
  ['[preset full]', 'full'],
  ['[preset read-only]', 'read-only'],
  ['[preset no-bash]', 'no-bash'],
  ['[preset safe-edit]', 'safe-edit'],
] as const)('%s', (_row, preset) => {
  it('[arg --tool-preset] holds in bypassPermissions, for the agent and its sub-agents', {
    tags: ['full'],
  }, async () => {
    const servers = join(stage.home, 'servers.json');
    const echo = new URL('../fixtures/mcp/stdio-server.js', import.meta.url).pathname;
    await writeFile(
      servers,
      JSON.stringify({ mcpServers: { other: { command: process.execPath, args: [echo] } } }),
    );
    await using runner = new Driver(stage, {
      args: ['--cwd', cwd, '--tool-preset', preset, '--mcp-servers-file', servers],
    });
    for (const promptOf of [byAgent, bySubAgent]) {
      for (const { name, call, in: presets } of tools.filter((one) => one.in[preset] !== '-')) {
        const turn = await runner.turn(promptOf(call()));
        const ends = only(turn, 'tool_end').filter((end) => end.tool === name);
        const ran = ends.map(({ success }) => (success ? 'yes' : 'no'));
        expect([promptOf.name, name, ran]).toEqual([promptOf.name, name, [presets[preset]]]);
        if (presets[preset] === 'no') expect(ends[0]?.summary).toMatch(/preset|No such tool/);
      }
    }
    const listed = first(runner.events, 'init').tools;
    expect(listed).toEqual(expect.arrayContaining(['AskUserQuestion', 'ExitPlanMode', 'Agent', 'Write']));
    expect(listed.includes('Bash')).toBe(preset === 'full');
    expect(existsSync(at('by-bash'))).toBe(preset === 'full');
  });
});

describe('the needs-input file', () => {
  it.each([
    ['read-only', 'bypassPermissions'],
    ['read-only', 'default'],
    ['safe-edit', 'dontAsk'],
    ['full', 'plan'],
    ['full', 'default'],
  ] as const)('can be written in %s and %s without asking', { tags: ['full'] }, async (preset, mode) => {
    await using runner = new Driver(stage, {
      args: ['--cwd', cwd, '--tool-preset', preset, '--permission-mode', mode],
    });
    const turn = await runner.turn(
      `${tool('Write', { file_path: at('.agora/needs_input.json'), content: '{"question":"Which?"}' })} [[next]] [[text Asked.]]`,
    );
    expect(only(turn, 'permission_request')).toEqual([]);
    expect(only(turn, 'needs_input').map(({ question }) => question)).toEqual(['Which?']);
  });

  it('is no way around [preset read-only]: neither by name nor by link', { tags: ['full'] }, async () => {
    const outside = join(stage.home, 'outside');
    await mkdir(join(outside, '.agora'), { recursive: true });
    await mkdir(at('sub/.agora'), { recursive: true });
    await symlink(outside, at('link'));
    await using runner = new Driver(stage, { args: ['--cwd', cwd, '--tool-preset', 'read-only'] });
    for (const path of [
      at('sub/.agora/needs_input.json'),
      at('link/.agora/needs_input.json'),
      join(outside, '.agora', 'needs_input.json'),
      at('.agora/other.json'),
      at('.agora/../a.txt'),
      at('.agora/needs_input.json/../../a.txt'),
    ]) {
      const turn = await runner.turn(
        `${tool('Write', { file_path: path, content: 'x' })} [[next]] [[text no]]`,
      );
      expect([path, first(turn, 'tool_end').success]).toEqual([path, false]);
    }
    expect(await readFile(at('a.txt'), 'utf8')).toMatch(/^alpha/);
    expect(existsSync(join(outside, '.agora', 'needs_input.json'))).toBe(false);
  });

  it.each(['folder', 'file'])(
    'is no way around [preset read-only] when the %s is a link',
    { tags: ['full'] },
    async (what) => {
      const workspace = join(stage.home, `linked-${what}`);
      const target = join(stage.home, `target-${what}`);
      await mkdir(workspace);
      if (what === 'folder') {
        await mkdir(target);
        await symlink(target, join(workspace, '.agora'));
      } else {
        await writeFile(target, 'precious');
        await mkdir(join(workspace, '.agora'));
        await symlink(target, join(workspace, '.agora', 'needs_input.json'));
      }
      await using runner = new Driver(stage, { args: ['--cwd', workspace, '--tool-preset', 'read-only'] });
      // The link of the file is cleared before the turn, so the agent would have to make it anew.
      await runner.turn(
        `${tool('Write', { file_path: join(workspace, '.agora', 'needs_input.json'), content: '{"question":"Q?"}' })} [[next]] [[text no]]`,
      );
      if (what === 'folder') expect(existsSync(join(target, 'needs_input.json'))).toBe(false);
      else expect(await readFile(target, 'utf8')).toBe('precious');
    },
  );
});
