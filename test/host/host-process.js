// A host as a process of its own that takes one piece of work and is killed at a moment of it.
import { composeHost } from '../../dist/compose.js';

/**
 * @typedef {object} HostStart
 * @property {string} home
 * @property {Record<string, string>} env
 * @property {import('../../src/protocol/dispatch.js').DispatchRequest} request
 * @property {{ readonly at: string, readonly after: number }} kill
 * @property {number} [holdForMinutes]
 */

/** @type {HostStart} */
const { home, env, request, kill, holdForMinutes = 10 } = JSON.parse(process.argv[2] ?? '{}');
let left = kill.after;

/** A real kill, at the very moment, with nothing flushed. @param {string} moment */
function passed(moment) {
  if (moment === kill.at && --left === 0) process.kill(process.pid, 'SIGKILL');
}

const { host } = await composeHost({
  home,
  env,
  settings: { slots: 4, retries: 2, idleTimeoutMinutes: 15, keepSpare: false, holdForMinutes },
  log: (line) => process.stderr.write(`${line}\n`),
  failpoint: passed,
});
const { dispatch } = await host.dispatches.submit(request, { actor: 'user:owner', idempotencyKey: 'work' });
host.feed.subscribe(dispatch.threadId, { live: false }, (events) => {
  for (const { type } of events) passed(type);
});
