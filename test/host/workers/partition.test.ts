// @module-tag full
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { TcpLink } from '../../harness/tcp-link.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage } from '../host-stage.js';
import { OtherWorker } from './other-worker.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(async () => await server?.[Symbol.asyncDispose]());

it('what an agent says while its worker cannot reach the database is kept in the spool, and stored once', async () => {
  // Longer than the agent takes to say it all, however busy the machine is.
  const { here, other, link, folder } = await cutOffPair({ runnerDeadlineSeconds: 900 });
  const script =
    'echo first; touch begun; while [ ! -e go ]; do sleep 0.1; done; seq -f "line %g." 1 300; touch over';
  const work = await other.submit(program(folder('spoken'), script));
  await waitUntil('the agent works', () => existsSync(join(folder('spoken'), 'begun')));

  link.cut();
  writeFileSync(join(folder('spoken'), 'go'), '');
  await waitUntil('the agent has said everything', () => existsSync(join(folder('spoken'), 'over')));
  expect((await here.host.dispatches.get(work.id)).state).toBe('running');
  link.heal();

  const ended = await here.ended(work);
  expect([ended.outcome?.result, ended.attempts.length]).toEqual(['succeeded', 1]);
  const texts = (await here.events(work.threadId, 'assistant_text'))
    .map(({ content }) => String(content))
    .join('\n');
  const lines = texts.match(/line \d+\./g) ?? [];
  expect(lines).toEqual(Array.from({ length: 300 }, (_, index) => `line ${index + 1}.`));
  expect(await here.events(work.threadId, 'dispatch_ended')).toHaveLength(1);
  await other.stopAgents();
});

it('a worker that is cut off takes no work, and stops its agents in time; then it goes on with what nobody took', async () => {
  const { here, other, link, folder } = await cutOffPair();
  const script =
    'echo x >> starts; echo $$ > pid; if [ $(wc -l < starts) = 1 ]; then while :; do sleep 0.1; done; fi';
  const work = await other.submit(program(folder('own'), script));
  const pid = () => Number(readFileSync(join(folder('own'), 'pid'), 'utf8'));
  await waitUntil('the agent works', () => existsSync(join(folder('own'), 'pid')) && pid() > 0);

  link.cut();
  const queued = await here.work('later', { ...program(folder('later'), 'echo x >> starts'), on: 'other' });
  await waitUntil('the agent is stopped', () => !isAlive(pid()));
  expect(existsSync(join(folder('later'), 'starts'))).toBe(false);
  expect((await here.host.dispatches.get(queued.id)).state).toBe('queued');
  expect((await here.host.dispatches.get(work.id)).attempts).toHaveLength(1);
  link.heal();

  const ended = await here.ended(work);
  expect([ended.outcome?.result, ended.attempts.map(({ outcome }) => outcome?.reason)]).toEqual([
    'succeeded',
    ['cut_off', undefined],
  ]);
  expect((await here.ended(queued)).outcome?.result).toBe('succeeded');
  const starts = (name: string) => readFileSync(join(folder(name), 'starts'), 'utf8');
  expect([starts('own'), starts('later')]).toEqual(['x\nx\n', 'x\n']);
  for (const { threadId } of [work, queued])
    expect(await here.events(threadId, 'dispatch_ended')).toHaveLength(1);
  await other.stopAgents();
});

it('its agents are stopped before another worker does their work, and it finds that out without a second outcome', async () => {
  const { here, other, link, folder, log } = await cutOffPair({ sharesFolder: true });
  const shared = folder('shared');
  const script =
    'if [ ! -e begun ]; then touch begun; while :; do echo >> ticks; sleep 0.1; done; fi; wc -l < ticks > before; sleep 2; wc -l < ticks > after';
  const work = await other.submit(program(shared, script));
  await waitUntil('the agent works', () => existsSync(join(shared, 'ticks')));

  link.cut();
  const ended = await here.ended(work);
  const read = (name: string) => readFileSync(join(shared, name), 'utf8').trim();
  expect(read('after')).toBe(read('before'));
  expect(log.filter((line) => line.includes('could not be renewed in time'))).toHaveLength(1);
  link.heal();

  // It is back when it works again; by then it has read the spool of the agent that was stopped.
  const next = await other.submit(program(folder('next'), 'true'));
  expect((await here.ended(next)).outcome?.result).toBe('succeeded');
  expect([ended.outcome?.result, ended.attempts.map(({ outcome }) => outcome?.reason)]).toEqual([
    'succeeded',
    ['worker_lost', undefined],
  ]);
  expect(await here.events(work.threadId, 'dispatch_ended')).toHaveLength(1);
  expect(await here.events(work.threadId, 'attempt_ended')).toHaveLength(1);
  expect((await here.host.dispatches.get(work.id)).attempts).toHaveLength(2);
  await other.stopAgents();
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Work of a command, which is started in the folder. */
function program(path: string, script: string): DispatchRequest {
  writeFileSync(join(path, 'work.sh'), script);
  return {
    text: 'Work.',
    runtime: 'exec',
    workspace: { path },
    posture: { command: 'sh work.sh' },
    retries: 0,
  };
}

/** A worker here, and one in a process of its own whose way to the database can be cut. */
async function cutOffPair({
  sharesFolder = false,
  // A machine that is busy with other tests beats late and starts agents slowly: what is not cut off is not to be late by this.
  runnerDeadlineSeconds = 20,
}: {
  readonly sharesFolder?: boolean;
  readonly runnerDeadlineSeconds?: number;
} = {}) {
  const link = await TcpLink.to(server.port);
  onTestFinished(async () => await link[Symbol.asyncDispose]());
  const store = server.url(await server.createDatabase());
  const times = { leaseSeconds: 5, runnerDeadlineSeconds, marginSeconds: 10 };
  const sharedFolders: string[] = [];
  const here: HostStage = await openHostStage({ ...times, store, sharedFolders }, 'claude', (home) => {
    if (sharesFolder) sharedFolders.push(join(home, '..', 'work'));
  });
  const log: string[] = [];
  const settings = {
    ...times,
    slots: 4,
    retries: 2,
    idleTimeoutMinutes: 15,
    keepSpare: false,
    workerName: 'other',
    sharedFolders,
    store: store.replace(`:${server.port}/`, `:${link.port}/`),
  };
  const other = await OtherWorker.start(
    { home: join(here.stage.home, 'other'), settings },
    { env: here.stage.env, log: (line) => log.push(line) },
  );
  const folder = (name: string) => {
    const path = join(here.stage.home, 'work', name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return { here, other, link, folder, log };
}
