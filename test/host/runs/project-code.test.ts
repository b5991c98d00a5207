// @module-tag full
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newProject, ProjectTraps, writeFiles } from '../../runner/project-traps.js';
import { bash, tool } from '../../runner/prompting.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

// Claude Code notices a changed file after a second or two (measured), so the turn in which it comes lasts longer.
const bring = (later: string) => bash(`cp -r ${later}/. . && node -e "setTimeout(() => {}, 4000)"`);
const use = `${tool('Skill', { skill: 'trap' })} [[next]] [[text done]]`;

function projectOf(at: HostStage): { cwd: string; traps: ProjectTraps; later: string } {
  const later = join(at.stage.home, 'later');
  return { cwd: newProject(join(at.stage.home, 'project')), traps: new ProjectTraps(at.stage.home), later };
}

test('code that an approved command brings into a project without any does not run, now or after a resume', async () => {
  const at = await openHostStage();
  const { cwd, traps, later } = projectOf(at);
  writeFiles(later, traps.files('brought'));
  const text = `${bring(later)} [[next]] [[text done]]`;
  const { id, threadId } = await at.work(text, { workspace: { path: cwd } });
  const prompt = await at.asked(threadId);
  await at.host.prompts.answer(prompt.id, { decision: { approved: true } }, owner);
  await at.ended({ id });
  expect(traps.sprung).toEqual([]);
  await at.done('/go now', { thread: threadId });
  await at.host.threads.stop(threadId, owner);
  await at.done('/go now', { thread: threadId });
  expect(traps.sprung).toEqual([]);
  await at.host.threads.stop(threadId, owner);
  await at.done('[[text done]]', { thread: threadId });
  // Said once, when it came, and not with every start.
  const notices = (await at.events(threadId, 'notice')).map(({ message }) => message);
  expect(notices).toEqual([expect.stringContaining('.claude/settings.json')]);
});

test('approved code runs from the approved bytes, and stays what it was while the agent works', async () => {
  const at = await openHostStage();
  const { cwd, traps, later } = projectOf(at);
  writeFiles(cwd, traps.files('approved'));
  writeFiles(later, traps.files('changed'));
  const { digest } = await at.host.projectCode.inspect(cwd);
  await at.host.projectCode.approve(cwd, { digest, actor: owner });
  const request = { workspace: { path: cwd }, permissions: 'autonomous' } as const;
  const { threadId } = await at.done(`${bring(later)} [[next]] ${use}`, request);
  expect((await at.done('/go now', { thread: threadId })).outcome?.summary).toBe('gone');
  expect(traps.sprung.filter((name) => name.startsWith('changed'))).toEqual([]);
  expect(traps.sprung).toEqual(
    expect.arrayContaining(['approved-command', 'approved-mcp', 'approved-skill', 'approved-settings-Stop']),
  );
  // The settings that only the user's own machine has are not the worker's to load.
  expect(traps.sprung.filter((name) => name.includes('local'))).toEqual([]);
});
