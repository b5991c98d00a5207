// A host as a process of its own that lands the work of a thread and is killed at a moment of it.
import { composeHost } from '../../dist/compose.js';

/** @type {{ home: string, env: Record<string, string>, threadId: string, verb: 'merge' | 'apply' | 'pr' | 'discard' | 'work' | 'watch' | 'rm' | 'prune' | 'tidy', work: import('../../src/protocol/dispatch.js').DispatchRequest, kill: string }} */
const { home, env, threadId, verb, work, kill } = JSON.parse(process.argv[2] ?? '{}');

const { host } = await composeHost({
  home,
  env,
  settings: {
    slots: 4,
    retries: 0,
    idleTimeoutMinutes: 15,
    keepSpare: false,
    watchSeconds: 0.05,
    ...(verb === 'tidy' && { keepEventsDays: 0, tidySeconds: 0.05 }),
  },
  log: (line) => process.stderr.write(`${line}\n`),
  failpoint: (moment) => {
    if (moment === kill) process.kill(process.pid, 'SIGKILL');
  },
});
const id = /** @type {import('../../src/protocol/id.js').ThreadId} */ (threadId);
if (verb === 'work') {
  await host.dispatches.submit(work, { actor: 'user:owner' });
  // Until the moment comes.
  await new Promise(() => {});
} else if (verb === 'tidy') await new Promise(() => {});
else if (verb === 'watch') {
  await host.pullRequests.watch(id, {}, 'user:owner');
  await new Promise(() => {});
} else if (verb === 'merge') await host.landings.merge(id, { method: 'merge' }, 'user:owner');
else if (verb === 'apply') await host.landings.apply(id, {}, 'user:owner');
else if (verb === 'rm') await host.cleanup.remove(id, { force: false, actor: 'user:owner' });
else if (verb === 'prune') await host.cleanup.prune({ dryRun: false, olderThanDays: 0 }, 'user:owner');
else if (verb === 'pr') await host.landings.openPullRequest(id, {}, 'user:owner');
else await host.landings.discard(id, 'user:owner');
process.exit(0);
