// A host as a process of its own, with a rule that is on, killed before or after the commit in which the rule answers.
import { composeHost } from '../../dist/compose.js';

/** @type {{ home: string, env: Record<string, string>, work: import('../../src/protocol/dispatch.js').DispatchRequest, kill: 'decided' | 'recorded' }} */
const { home, env, work, kill } = JSON.parse(process.argv[2] ?? '{}');

const { host, store } = await composeHost({
  home,
  env,
  settings: { slots: 4, retries: 0, idleTimeoutMinutes: 15, keepSpare: false },
  log: (line) => process.stderr.write(`${line}\n`),
});
const commit = store.commit.bind(store);
// A real kill, at the very moment, with nothing flushed.
store.commit = async (unit) => {
  const isRuled = unit.operations.some((operation) => operation.do === 'useRule');
  if (isRuled && kill === 'decided') process.kill(process.pid, 'SIGKILL');
  const committed = await commit(unit);
  if (isRuled) process.kill(process.pid, 'SIGKILL');
  return committed;
};
await host.dispatches.submit(work, { actor: 'user:owner' });
// Until the moment comes.
await new Promise(() => {});
