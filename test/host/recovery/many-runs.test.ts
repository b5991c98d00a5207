import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SqliteStore as BuiltStore } from '../../../dist/store/sqlite/sqlite-store.js';
import { noFacts } from '../../../src/domain/run/run-facts.js';
import { RunFolders } from '../../../src/host/runs/run-folder.js';
import { ProcessIdentity } from '../../../src/protocol/run.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { done, id, at as instantAt, newPrompt, newRun, newThread } from '../../contract/store/records.js';
import { waitUntil } from '../../harness/wait-until.js';
import { openHostStage } from '../host-stage.js';

const program = fileURLToPath(new URL('../many-runners.js', import.meta.url));
const count = 150;
// What follows from an attachment takes a few turns of the event loop.
const settleMs = 200;

/** One process that plays the runners of these runs, and what it was told. */
async function play(runs: readonly (readonly [string, string])[]) {
  const child = spawn(process.execPath, [program, JSON.stringify(runs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const words: { readonly [field: string]: unknown }[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => words.push(JSON.parse(line)));
  await once(lines, 'line');
  return { words, identity: ProcessIdentity.parse(words[0]?.['ready']) };
}

/** The second page of runs comes late, as on a slow disk: once a runner of the first has been attached to. */
function slowPages(isAttached: () => Promise<unknown>): void {
  // oxlint-disable-next-line typescript/unbound-method -- called below with the store that it belongs to
  const { query } = BuiltStore.prototype;
  const slow = vi.spyOn(BuiltStore.prototype, 'query').mockImplementation(async function (
    this: BuiltStore,
    name,
    input,
  ) {
    if (name === 'runs' && 'cursor' in input) {
      await isAttached();
      await delay(settleMs);
    }
    return await query.call(this, name, input);
  });
  onTestFinished(() => slow.mockRestore());
}

test('a worker that finds more live runs than a page attaches to all of them, and gives each the answer that it has not heard', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage();
  await at.leave();
  const folders = new RunFolders(at.home);
  const rows = Array.from({ length: count }, (_, index) => {
    const thread = newThread({
      workspace: { path: join(at.stage.home, `w${index}`), worktree: true, branch: 'b' },
    });
    return { thread, run: newRun(thread.id) };
  });
  const { words, identity } = await play(rows.map(({ run }) => [run.id, folders.socket(run.id)]));
  const store = await SqliteStore.open({
    file: join(at.home, 'store.db'),
    worker: { id: id('worker'), name: 'before', startedAt: instantAt(0) },
    program: new URL('../../../dist/store/sqlite/store-thread.js', import.meta.url),
  });
  const startedAt = new Date().toISOString();
  for (const { thread, run } of rows) {
    const prompt = newPrompt(thread.id, { runId: run.id, requestId: 'req_1' });
    await done(store, [
      { do: 'insertThread', thread },
      { do: 'insertRun', run: { ...run, startedAt, process: identity, facts: noFacts } },
      { do: 'openPrompt', prompt },
      { do: 'acceptAnswer', promptId: prompt.id, actor: 'user:owner', at: startedAt, answers: [] },
    ]);
  }
  await store.close();

  const heard = (type: string) =>
    new Set(words.filter((word) => word['type'] === type).map((word) => word['runId']));
  slowPages(async () => await waitUntil('a runner was attached to', () => heard('attach').size > 0));

  await at.open();

  await waitUntil('every runner has its answer', () => heard('user_question_response').size === count);
  expect(heard('attach').size).toBe(count);
  expect(at.log).toEqual([]);
});
