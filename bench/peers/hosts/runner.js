import { Host as RunnerHost } from '../../runner/host.js';

const program = new URL('../../../bin/handraise-runner.js', import.meta.url).pathname;

/** handraise-runner over its standard input and output, a process for each session. @param {import('./seen.js').Place} place @returns {Promise<import('./seen.js').Host>} */
export async function openRunner({ cwd, env }) {
  /** @type {RunnerHost[]} */
  const hosts = [];
  return {
    get pid() {
      return hosts.at(-1)?.child.pid ?? 0;
    },
    readyMs: null,
    async begin(text, where) {
      const host = new RunnerHost([program], { cwd: where ?? cwd, env });
      hosts.push(host);
      const first = await host.turn(text);
      const session = {
        turn: async (/** @type {string} */ next) => seenBy(await host.turn(next)),
        close: async () => {
          hosts.splice(hosts.indexOf(host), 1);
          await host.close();
        },
      };
      return { session, seen: { ...seenBy(first), firstTextMs: first.firstTextSinceStart } };
    },
    async close() {
      await Promise.all(hosts.map(async (host) => await host.close()));
    },
  };
}

/** @param {Awaited<ReturnType<RunnerHost['turn']>>} turn @returns {import('./seen.js').Seen} */
function seenBy({ ms, lastTextMs, letters }) {
  return { firstTextMs: lastTextMs, textMs: lastTextMs, resultMs: ms, letters };
}
