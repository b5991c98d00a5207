// @module-tag full
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { openStage } from '../../harness/stage.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { missingForTree, OlderTree } from './older-tree.js';
import { OtherWorker } from './other-worker.js';

/** Before threads had accounts: the schema of today has more. */
const olderCommit = '3734d968fe5d2eea2f8a3a90702b634eb03731a9';
const missing = missingForTree(olderCommit);
if (missing !== null) console.log(`The rolling upgrade is not tested: ${missing}.`);

// Long enough for a machine that is busy with other tests, where even a heartbeat takes its time.
const times = { leaseSeconds: 5, runnerDeadlineSeconds: 8, marginSeconds: 5 };

let server: PostgresServer;
let older: OlderTree;
beforeAll(async () => {
  if (missing !== null) return;
  older = new OlderTree(olderCommit);
  server = await PostgresServer.start();
});
afterAll(async () => {
  older?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

it.skipIf(missing !== null)(
  'workers of two versions share a database while they are upgraded one after the other',
  async () => {
    const at = await openFleet();
    const ann = await at.startOld('ann');
    const bob = await at.startOld('bob');
    const before = await ann.submit(at.gated('before'));
    const asked = await ann.submit(at.asking('asked-of-old'));
    await at.begun('before');
    const question = await at.question(asked.threadId);

    // The first new one changes the schema; what the old ones do goes on.
    const cleo = await at.startNew('cleo');
    expect(await cleo.answer(question, 'Red')).toBe(true);
    expect(await at.outcome(asked.id)).toBe('succeeded');
    expect(at.read('asked-of-old', 'heard')).toContain('Red');
    const askedOfNew = await cleo.submit(at.asking('asked-of-new'));
    expect(await bob.answer(await at.question(askedOfNew.threadId), 'Blue')).toBe(true);
    expect(await at.outcome(askedOfNew.id)).toBe('succeeded');
    expect(at.read('asked-of-new', 'heard')).toContain('Blue');
    at.open('before');
    expect(await at.outcome(before.id)).toBe('succeeded');
    expect(at.starts('before')).toBe(1);

    // Work of each is given at the other, for it.
    const forNew = await ann.submit({ ...at.gated('for-new'), on: 'cleo' });
    const forOld = await cleo.submit({ ...at.gated('for-old'), on: 'ann' });
    for (const [name, work] of [
      ['for-new', forNew],
      ['for-old', forOld],
    ] as const) {
      at.open(name);
      expect(await at.outcome(work.id)).toBe('succeeded');
    }

    // An old one dies, and the new one takes its work over; then the new one dies, and an old one does.
    const ofOld = await ann.submit(at.gated('of-old'));
    await at.begun('of-old');
    await bob.end('SIGTERM');
    await ann.end('SIGKILL');
    await waitUntil('the new one has begun it again', () => at.starts('of-old') === 2);
    at.open('of-old');
    expect(await at.outcome(ofOld.id)).toBe('succeeded');
  },
);

it.skipIf(missing !== null)(
  'an old worker takes over from a new one, and one that starts again is refused with a sentence',
  async () => {
    const at = await openFleet();
    await at.startOld('ann');
    const cleo = await at.startNew('cleo');
    const work = await cleo.submit(at.gated('of-new'));
    await at.begun('of-new');
    await cleo.end('SIGKILL');
    await waitUntil('the old one has begun it again', () => at.starts('of-new') === 2);
    at.open('of-new');
    expect(await at.outcome(work.id)).toBe('succeeded');

    const rows = await at.sql('select name from handraise_migrations order by name');
    const late = await at.startOld('dora');
    await waitUntil('it has ended', () => late.isGone);
    expect(late.process.exitCode).not.toBe(0);
    expect(late.complaint).toMatch(/was written by a newer Handraise \(it has .*0037-accounts.*\)\. Install/);
    expect(await at.sql('select name from handraise_migrations order by name')).toEqual(rows);
    expect(await at.sql("select 1 from workers where name = 'dora'")).toEqual([]);
  },
);

/** Workers of both versions on one database; one folder is the same for all. */
async function openFleet() {
  const stage = await openStage('claude');
  onTestFinished(async () => await stage[Symbol.asyncDispose]());
  const database = await server.createDatabase();
  const shared = join(stage.home, 'shared');
  mkdirSync(shared);
  const start = async (name: string, program?: string) =>
    await OtherWorker.start(
      {
        home: join(stage.home, name),
        settings: {
          ...times,
          workerName: name,
          slots: 4,
          retries: 2,
          idleTimeoutMinutes: 15,
          keepSpare: false,
          sharedFolders: [shared],
          store: server.url(database),
        },
      },
      { env: stage.env, ...(program !== undefined && { program }) },
    );
  const work = (name: string, script: string): DispatchRequest => {
    const path = join(shared, name);
    mkdirSync(path);
    writeFileSync(join(path, 'work.sh'), script);
    return {
      text: 'Work.',
      runtime: 'exec',
      workspace: { path },
      posture: { command: 'sh work.sh' },
      retries: 1,
    };
  };
  const sql = async (text: string) => await server.sql(text, database);
  const starts = (name: string) => {
    const file = join(shared, name, 'starts');
    return existsSync(file) ? readFileSync(file, 'utf8').length / 2 : 0;
  };
  return {
    sql,
    starts,
    startOld: async (name: string) => await start(name, older.program('worker-program.js')),
    startNew: async (name: string) => await start(name),
    gated: (name: string) => work(name, 'echo x >> starts; while [ ! -e gate ]; do sleep 0.2; done'),
    asking: (name: string) =>
      work(
        name,
        `cat > told; if [ -e asked ]; then mv told heard; exit 0; fi; touch asked; mkdir -p .agora; echo '{"question":"Which colour?"}' > .agora/needs_input.json`,
      ),
    open: (name: string) => writeFileSync(join(shared, name, 'gate'), ''),
    begun: async (name: string) => await waitUntil(`${name} has begun`, () => starts(name) === 1),
    read: (name: string, file: string) => readFileSync(join(shared, name, file), 'utf8'),
    question: async (threadId: string) => {
      const pending = `select id from prompts where thread_id = '${threadId}' and state = 'pending'`;
      const [row] = await eventually(
        'a question is asked',
        () => sql(pending),
        (rows) => rows.length === 1,
      );
      return String(row?.['id']);
    },
    outcome: async (id: string) => {
      const ended = `select outcome::jsonb->>'result' as result, (select count(*) from events e where e.thread_id = d.thread_id
        and type = 'dispatch_ended') as ends from dispatches d where id = '${id}' and state = 'ended'`;
      const [row] = await eventually(
        'the work has ended',
        () => sql(ended),
        (rows) => rows.length === 1,
      );
      expect(Number(row?.['ends'])).toBe(1);
      return row?.['result'];
    },
  };
}
