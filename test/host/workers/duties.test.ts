// @module-tag full
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { HostSettings } from '../../../dist/compose.js';
import type { ScheduleId } from '../../../src/protocol/id.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage } from '../host-stage.js';
import { OtherWorker } from './other-worker.js';

// Long enough for a machine that is busy with other tests, where even a heartbeat takes its time.
const times = { leaseSeconds: 5, runnerDeadlineSeconds: 8, marginSeconds: 5 };
const names = ['anna', 'ben', 'cleo', 'dora', 'emil', 'finn'];
const everyYear = '0 0 1 1 *';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(async () => await server?.[Symbol.asyncDispose]());

it('schedules, a pipeline and a notification of a worker that is gone go on elsewhere, each time once, though the next one is killed, too', async () => {
  const channel = await deafChannel();
  const { here, database, shared, startOther } = await threeWorkers({ notify: [channel.config] });
  const first = await startOther('first');
  const second = await startOther('second');

  const schedules: ScheduleId[] = [];
  for (const name of names)
    schedules.push(
      await first.schedule({
        name,
        when: everyYear,
        timeZone: 'UTC',
        unanswered: 'refuse',
        missed: 'once',
        work: exec(join(shared, name), 'echo ran >> ran'),
      }),
    );
  const pipeline = await first.pipeline({
    workspace: { path: folder(join(shared, 'pipeline')) },
    source: `phases:
  find:
    run: touch begun; while [ ! -e go ]; do sleep 0.1; done; echo "word=found" >> "$PIPELINE_OUTPUT"
  use:
    needs: find
    env: { WORD: "\${{ needs.find.outputs.word }}" }
    run: echo "$WORD" > used
`,
  });
  await waitUntil('the first phase works', () => existsSync(join(shared, 'pipeline', 'begun')));
  const told = await first.submit({ ...exec(join(shared, 'told'), 'true'), text: 'Tell somebody.' });
  await here.ended(told);
  await waitUntil('the first worker tries to tell of it', () => channel.refused > 0);

  first.process.kill('SIGKILL');
  // A year passes. Nobody has decided about this time, and whoever does so first has it.
  await server.sql(`update schedules set due_at = '${lastYear}', record = ${atLastYear}`, database);
  channel.hear();
  await waitUntil('somebody has taken over a schedule', async () => {
    const rows = await server.sql('select 1 from schedule_runs', database);
    return rows.length > 0;
  });
  second.process.kill('SIGKILL');

  for (const [index, id] of schedules.entries()) {
    const runs = await eventually(
      `the work of ${names[index]} has ended`,
      async () => (await here.host.schedules.runs(id, {})).rows,
      (rows) => rows.some(({ state }) => state === 'ended'),
    );
    expect(runs.map(({ tickAt, result, outcome }) => [tickAt, result, outcome?.result])).toEqual([
      [lastYear, 'started', 'succeeded'],
    ]);
  }
  const works = await server.sql(
    `select labels from dispatches where labels like '%"schedule"%' order by labels`,
    database,
  );
  expect(works.map(({ labels }) => JSON.parse(String(labels)).schedule)).toEqual(names);

  writeFileSync(join(shared, 'pipeline', 'go'), '');
  const ended = await eventually(
    'the pipeline has ended',
    async () => await here.host.pipelines.get(pipeline),
    ({ state }) => state === 'ended',
  );
  expect([ended.result, ended.phases.map(({ result, tries }) => [result, tries?.length])]).toEqual([
    'success',
    [
      ['success', 1],
      ['success', 1],
    ],
  ]);
  expect(readFileSync(join(shared, 'pipeline', 'used'), 'utf8')).toBe('found\n');
  await waitUntil('somebody else has told of the first work', () =>
    channel.heard.some((text) => text.includes(told.threadId)),
  );
});

it('a schedule whose folder is only at the worker that is gone waits for it, and one that drains hands its schedules over', async () => {
  const { here, database, shared, startOther } = await threeWorkers();
  const draining = await startOther('draining');
  const work = { when: everyYear, timeZone: 'UTC', unanswered: 'refuse', missed: 'once' } as const;
  await draining.schedule({ ...work, name: 'handed', work: exec(join(shared, 'handed'), 'true') });
  const owner = async (name: string) => {
    const [row] = await server.sql(`select worker_id from schedules where name = '${name}'`, database);
    return row?.['worker_id'];
  };

  await here.host.drainWorker('draining', true);
  await waitUntil(
    'the schedule is handed over',
    async () => (await owner('handed')) === here.store.worker.id,
  );

  const gone = await startOther('gone');
  const own = exec(join(shared, '..', 'own'), 'true');
  const kept = await gone.schedule({ ...work, name: 'kept', work: own });
  const watched = await gone.submit(exec(join(shared, 'watched'), 'true'));
  await here.ended(watched);
  const url = 'https://github.com/ada/shop/pull/7';
  const record = {
    id: 'watch-1',
    threadId: watched.threadId,
    kind: 'watch',
    state: 'begun',
    sentence: 'Watching.',
    actor: 'user:owner',
    pullRequest: url,
    createdAt: lastYear,
    watch: { limit: 3, rounds: 0, count: 0, told: [] },
  };
  await server.sql(
    `insert into landings (id, thread_id, state, record) values ('watch-1', '${watched.threadId}', 'begun', '${JSON.stringify(record)}')`,
    database,
  );
  gone.process.kill('SIGKILL');
  await waitUntil('the watch over a pull request moves', () =>
    here.log.some((line) => /pull\/7: worker-\w{6} watches it from now on, in place of gone$/.test(line)),
  );
  const [thread] = await server.sql(
    `select worker_id from threads where id = '${watched.threadId}'`,
    database,
  );
  expect(thread?.['worker_id']).toBe(here.store.worker.id);
  await waitUntil('it is said that the schedule waits', () =>
    here.log.some((line) => line.startsWith('schedule kept waits for gone, which does not answer')),
  );
  expect((await here.host.schedules.runs(kept, {})).rows).toEqual([]);

  await server.sql(`update schedules set due_at = '${lastYear}', record = ${atLastYear}`, database);
  await startOther('gone');
  const [run] = await eventually(
    'the worker that is back gives the work',
    async () => (await here.host.schedules.runs(kept, {})).rows,
    (rows) => rows.some(({ state }) => state === 'ended'),
  );
  expect([run?.result, run?.outcome?.result]).toEqual(['started', 'succeeded']);
});

const lastYear = `${new Date().getUTCFullYear()}-01-01T00:00:00.000Z`;
const atLastYear = `(record::jsonb || '{"nextAt":"${lastYear}","dueAt":"${lastYear}"}'::jsonb)::text`;

function folder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

/** Work of a command in a folder of its own. */
function exec(path: string, command: string) {
  return {
    text: 'Work.',
    runtime: 'exec' as const,
    workspace: { path: folder(path) },
    posture: { command: `sh -c '${command}'` },
    onFailure: 'end' as const,
  };
}

/** A worker here, and others in processes of their own, on one database; one folder is the same for all. */
async function threeWorkers(more: Partial<HostSettings> = {}) {
  const database = await server.createDatabase();
  const folders: string[] = [];
  const settings = { ...times, ...more, store: server.url(database), sharedFolders: folders };
  const here: HostStage = await openHostStage(settings, 'claude', (home) => {
    folders.push(join(home, '..', 'shared'));
  });
  const shared = folder(join(here.stage.home, 'shared'));
  const usual = { slots: 4, retries: 2, idleTimeoutMinutes: 15, keepSpare: false };
  const startOther = async (workerName: string) =>
    await OtherWorker.start(
      { home: join(here.stage.home, workerName), settings: { ...usual, ...settings, workerName } },
      { env: here.stage.env },
    );
  return { here, database, shared, startOther };
}

/** A place to send notifications to, which takes none before it is told to hear. */
async function deafChannel() {
  const heard: string[] = [];
  let isDeaf = true;
  let refused = 0;
  const listener = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      if (isDeaf) refused += 1;
      else heard.push(text);
      response.writeHead(isDeaf ? 503 : 200).end();
    });
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    listener.close();
    listener.closeAllConnections();
  });
  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    config: {
      type: 'webhook' as const,
      name: 'ops',
      on: ['finished' as const],
      url: `http://127.0.0.1:${port}/hook`,
      allowPrivate: true,
      secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
    },
    heard,
    get refused() {
      return refused;
    },
    hear: () => {
      isDeaf = false;
    },
  };
}
