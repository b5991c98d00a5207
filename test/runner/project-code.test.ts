import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { newProject, ProjectTraps, writeFiles } from './project-traps.js';
import { bash, subAgent, tool } from './prompting.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
let traps: ProjectTraps;
let cwd: string;
let count = 0;
beforeAll(async () => {
  stage = await openStage('claude');
});
beforeEach(() => {
  const home = join(stage.home, `case-${++count}`);
  traps = new ProjectTraps(home);
  cwd = newProject(join(home, 'project'));
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const mode = ['--permission-mode', 'bypassPermissions'];
const live = () => ['--cwd', cwd, '--no-project-code', ...mode];

/** What the model was sent with the last request. */
const lastRequest = () => JSON.stringify(stage.simulator.requests.at(-1)?.body);

/** The texts of the project's code that ever reached the model. */
function reached(tag: string): string[] {
  const all = JSON.stringify(stage.simulator.requests.map(({ body }) => body));
  return [...new Set([...all.matchAll(new RegExp(`BODY-${tag}-\\w+`, 'g'))].map(([text]) => text))];
}

/** A turn that uses whatever the project could have brought. */
const using = [
  tool('Read', { file_path: 'x.txt' }),
  tool('Skill', { skill: 'trap' }),
  subAgent('[[text here]]', { subagent_type: 'spy' }),
  tool('Workflow', { name: 'flow' }),
  '[[text done]]',
].join(' [[next]] ');

/** The approved files, as a worker hands them over. */
function approved(files: Record<string, string>): string[] {
  const file = join(stage.home, `case-${count}`, 'project-code.json');
  const list = Object.entries(files).map(([path, text]) => ({ path, text }));
  writeFileSync(file, JSON.stringify({ files: list }));
  return ['--project-code-file', file];
}

describe('code of a project that nobody approved', () => {
  it('does not run, whether it was there before or comes in the middle of a turn, between turns or before a resume', {
    tags: ['full'],
  }, async () => {
    const later = join(stage.home, `case-${count}`, 'later');
    writeFiles(later, traps.files('middle'));
    writeFiles(cwd, traps.files('before'));
    let session = '';
    {
      await using runner = new Driver(stage, { args: live() });
      await runner.turn(using);
      const turn = await runner.turn(
        // Claude Code notices a changed file after a second or two (measured), so this lasts longer.
        `${bash(`cp -r ${later}/. . && node -e "setTimeout(() => {}, 4000)"`)} [[next]] ${using}`,
      );
      session = first(turn, 'turn_complete').sessionId;
      writeFiles(cwd, traps.files('between'));
      await runner.turn(using);
      expect(textOf(await runner.turn('/go now'))).not.toBe('gone');
      runner.send({ type: 'stop' });
      await runner.end();
    }
    writeFiles(cwd, traps.files('resume'));
    await using again = new Driver(stage, { args: [...live(), '--resume', session] });
    await again.turn(using);
    expect(textOf(await again.turn('/go now'))).not.toBe('gone');
    again.send({ type: 'stop' });
    await again.end();
    expect(traps.sprung).toEqual([]);
    expect(['before', 'middle', 'between', 'resume'].flatMap(reached)).toEqual([]);
  });

  it('does not run in folders above and below', { tags: ['full'] }, async () => {
    const folder = join(cwd, 'packages/app');
    for (const each of [cwd, folder, join(folder, 'below')]) writeFiles(each, traps.files('around'));
    writeFiles(join(folder, 'below'), { 'x.txt': 'x' });
    await using runner = new Driver(stage, { args: ['--cwd', folder, '--no-project-code', ...mode] });
    await runner.turn(`${tool('Read', { file_path: join(folder, 'below/x.txt') })} [[next]] ${using}`);
    runner.send({ type: 'stop' });
    await runner.end();
    expect(traps.sprung).toEqual([]);
  });
});

describe('code of a project that was approved', () => {
  it('[arg --project-code-file] runs as it was approved, whatever lies in the workspace by now', {
    tags: ['full'],
  }, async () => {
    const files = traps.files('approved');
    writeFiles(cwd, traps.files('changed'));
    await using runner = new Driver(stage, { args: [...live(), ...approved(files)] });
    const skill = await runner.turn(`${tool('Skill', { skill: 'trap' })} [[next]] [[text done]]`);
    expect(first(skill, 'tool_end').success).toBe(true);
    expect(textOf(await runner.turn('/go now'))).toBe('gone');
    const agent = await runner.turn(
      `${subAgent('[[text here]]', { subagent_type: 'project:spy' })} [[next]] [[text done]]`,
    );
    expect(first(agent, 'tool_end').success).toBe(true);
    runner.send({ type: 'stop' });
    await runner.end();
    expect(traps.sprung).toEqual(
      [
        'command',
        'mcp',
        'settings-PostToolUse',
        'settings-PreToolUse',
        'settings-SessionEnd',
        'settings-SessionStart',
        'settings-Stop',
        'settings-UserPromptSubmit',
        'local-PostToolUse',
        'local-PreToolUse',
        'local-SessionEnd',
        'local-SessionStart',
        'local-Stop',
        'local-UserPromptSubmit',
        'skill',
        'skill-hook',
      ]
        .map((name) => `approved-${name}`)
        .toSorted(),
    );
    expect(reached('changed')).toEqual([]);
  });

  it('that cannot be read is left out, and the agent works', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, {
      args: [...live(), ...approved({ '.claude/settings.json': '[]', '.mcp.json': '{' })],
    });
    const turn = await runner.turn('[[text fine]]');
    expect(textOf(turn)).toBe('fine');
    expect(only(runner.events, 'warning').map(({ message }) => message)).toEqual([
      expect.stringContaining('.mcp.json'),
      expect.stringContaining('.claude/settings.json'),
    ]);
  });
});

describe('what a project only tells its agents', () => {
  it('reaches the agent without its code, from the top down, with imports and rules', {
    tags: ['full'],
  }, async () => {
    const folder = join(cwd, 'packages/app');
    writeFiles(cwd, {
      'CLAUDE.md': 'TOP-TEXT\nSee @docs/more.md and `@docs/code.md`.',
      'docs/more.md': 'IMPORTED-TEXT @../../outside.md',
      'docs/code.md': 'CODE-TEXT',
      '../outside.md': 'OUTSIDE-TEXT',
    });
    writeFiles(folder, {
      'AGENTS.md': 'AGENTS-TEXT',
      '.claude/CLAUDE.md': 'DOT-TEXT',
      'CLAUDE.local.md': 'LOCAL-TEXT',
      '.claude/rules/style.md': 'RULE-TEXT',
      'below/CLAUDE.md': 'BELOW-TEXT',
      'below/x.txt': 'x',
    });
    await using runner = new Driver(stage, { args: ['--cwd', folder, '--no-project-code', ...mode] });
    await runner.turn('[[text one]]');
    const request = lastRequest();
    const order = ['TOP', 'IMPORTED', 'AGENTS', 'DOT', 'LOCAL', 'RULE'].map((name) =>
      request.indexOf(`${name}-TEXT`),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    expect(request).not.toMatch(/CODE-TEXT|OUTSIDE-TEXT|BELOW-TEXT/);
    expect(only(runner.events, 'warning').map(({ message }) => message)).toEqual([
      expect.stringContaining('outside of the project'),
    ]);
    await runner.turn(`${tool('Read', { file_path: join(folder, 'below/x.txt') })} [[next]] [[text two]]`);
    expect(lastRequest().split('BELOW-TEXT')).toHaveLength(2);
    await runner.turn(`${subAgent('[[text here]]')} [[next]] [[text three]]`);
    const helper = stage.simulator.requests.at(-2);
    expect(JSON.stringify(helper?.body)).toContain('TOP-TEXT');
  });

  it('is bounded, and a link or a pipe in its place harms nobody', { tags: ['full'] }, async () => {
    writeFiles(cwd, { 'CLAUDE.md': 'x'.repeat(200 * 1024) });
    symlinkSync('/etc/hostname', join(cwd, 'CLAUDE.local.md'));
    await using runner = new Driver(stage, { args: live() });
    expect(textOf(await runner.turn('[[text fine]]'))).toBe('fine');
    expect(only(runner.events, 'warning').map(({ message }) => message)).toEqual([
      expect.stringContaining('larger than'),
      expect.stringContaining('outside of the project'),
    ]);
  });

  it('leaves our lesson in asking by file untouched: the agent is taught, and asks', {
    tags: ['full'],
  }, async () => {
    await using runner = new Driver(stage, { args: live() });
    const content = JSON.stringify({ question: 'Which tree?' });
    const file_path = join(cwd, '.agora/needs_input.json');
    const turn = await runner.turn(`${tool('Write', { file_path, content })} [[next]] [[text I stop.]]`);
    expect(only(turn, 'needs_input')).toMatchObject([{ question: 'Which tree?' }]);
    expect(lastRequest()).toContain('# Ask a person and stop');
    await using untaught = new Driver(stage, {
      args: live(),
      env: { AGORA_DISABLE_NEEDS_INPUT_HELPER: 'true' },
    });
    await untaught.turn('[[text one]]');
    expect(lastRequest()).not.toContain('# Ask a person and stop');
  });
});
