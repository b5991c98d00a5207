// @module-tag full
// CWE-703: events that are gone for good are not waited for. The thread says so, and the run is settled.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunFolders } from '../../../src/host/runs/run-folder.js';
import type { ThreadId } from '../../../src/protocol/id.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage } from '../host-stage.js';

/** Lets the runner go on without a worker, and takes the first events of that time out of its journal. */
async function tearHole(at: HostStage, threadId: ThreadId): Promise<number> {
  const { rows } = await at.store.query('runs', { threadId, ended: false });
  const [before] = rows;
  if (!before) throw new Error('no run');
  await at.leave();
  const spool = new RunFolders(at.home).spool(before.id);
  const [segment = ''] = readdirSync(spool);
  const lines = () => readFileSync(join(spool, segment), 'utf8').split('\n').slice(0, -1);
  // What was recorded while the worker left is not known; whatever it was, some of what follows is missing.
  const recorded = lines().length;
  await waitUntil('there is more than was recorded', () => lines().length > recorded + 4);
  const gone = recorded + 2;
  const left = lines().slice(gone);
  writeFileSync(join(spool, `${String(gone + 1).padStart(12, '0')}.jsonl`), `${left.join('\n')}\n`);
  rmSync(join(spool, segment));
  return before.process?.pid ?? 0;
}

test.each([
  ['lives', false],
  ['is dead', true],
])(
  'a gap in the journal of a runner that %s ends its run, with a sentence in the thread',
  async (_how, isDead) => {
    const at = await openHostStage();
    const dispatch = await at.work('[[delay 4000]] [[text One.]]', { retries: 1 });
    const { threadId } = dispatch;
    await at.firstEvent(threadId, 'command_accepted');
    const pid = await tearHole(at, threadId);
    if (isDead) process.kill(pid, 'SIGKILL');
    await at.open();
    await at.firstEvent(threadId, 'run_ended');
    const notices = (await at.events(threadId, 'notice')).map(({ message }) => message);
    expect(notices).toEqual([expect.stringContaining('missing from the journal of its runner')]);
    const { outcome, attempts } = await at.ended(dispatch);
    expect(outcome).toMatchObject({ result: 'succeeded', summary: 'One.' });
    expect(attempts).toHaveLength(2);
  },
);
