// @module-tag full
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readThreadFile } from '../../../src/cli/thread-file.js';
import { waitUntil } from '../../harness/wait-until.js';
import { landingProcess } from '../landing/landing-process.js';
import { openLandingStage, owner } from '../landing/landing-stage.js';

const forEver = { dryRun: false, olderThanDays: 36_500 };

it('events of archived threads are moved to a file that import reads, and those of others are not', async () => {
  const stage = await openLandingStage({ keepEventsDays: 0, tidySeconds: 3600 });
  const { at } = stage;
  const open = await stage.agent('echo open > o.txt', 'Open');
  const { threadId } = await stage.agent('echo new > c.txt', 'Archived');
  await at.host.cleanup.archive(threadId, {}, owner);
  const before = await at.host.threads.get(threadId);
  const events = await at.events(threadId);
  const dry = await at.host.cleanup.prune({ ...forEver, dryRun: true }, owner);
  expect(dry.moved).toMatchObject([{ id: threadId, title: 'Archived' }]);
  expect(await at.host.threads.get(threadId)).toEqual(before);

  const report = await at.host.cleanup.prune(forEver, owner);
  expect(report).toMatchObject({ threads: [], moved: dry.moved });
  const file = join(at.home, 'exports', `${threadId}.jsonl.gz`);
  expect(await at.host.threads.get(threadId)).toEqual({
    ...before,
    lastSeq: before.lastSeq + 1,
    eventsIn: file,
  });
  expect(await at.events(threadId)).toMatchObject([
    { type: 'notice', message: expect.stringContaining(`handraise import ${file}`) },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const imported = await at.host.cleanup.import(readThreadFile(file), owner);
  const again = (await at.events(imported.id)).slice(1).map(({ type }) => type);
  expect(again).toEqual(events.map(({ type }) => type));
  expect((await at.events(open.threadId)).length).toBeGreaterThan(1);
  // Once is enough.
  expect((await at.host.cleanup.prune(forEver, owner)).moved).not.toContainEqual(
    expect.objectContaining({ id: threadId }),
  );
  // Whoever removes a thread removes all that was said in it.
  await at.host.cleanup.remove(threadId, { force: true, actor: owner });
  expect(existsSync(file)).toBe(false);
});

it.each(['events_in_file', 'events_dropped'] as const)(
  'a worker that is killed when %s loses no event',
  async (kill) => {
    const stage = await openLandingStage();
    const { at } = stage;
    const { threadId } = await stage.agent('echo new > c.txt', 'Killed');
    await at.host.cleanup.archive(threadId, {}, owner);
    const { lastSeq } = await at.host.threads.get(threadId);
    expect(await landingProcess(stage, { verb: 'tidy', threadId, kill })).toBe('SIGKILL');
    const file = join(at.home, 'exports', `${threadId}.jsonl.gz`);
    expect(existsSync(file)).toBe(true);
    await at.open();
    const isDropped = kill === 'events_dropped';
    expect(await at.events(threadId)).toHaveLength(isDropped ? 1 : lastSeq);
    expect(readThreadFile(file).events).toHaveLength(lastSeq);
    expect(readdirSync(join(at.home, 'exports'))).toEqual([`${threadId}.jsonl.gz`]);
  },
);

it('the worker moves them by itself', async () => {
  const stage = await openLandingStage({ keepEventsDays: 0, tidySeconds: 0.05 });
  const { at } = stage;
  const { threadId } = await stage.agent('echo new > c.txt', 'By itself');
  await at.host.cleanup.archive(threadId, {}, owner);
  await waitUntil(
    'the events are in a file',
    async () => (await at.host.threads.get(threadId)).eventsIn !== undefined,
  );
});
