// Which modules of a program go into one file. By default each set of modules that several dynamic imports share is a file of its
// own: 180 of them for `handraise up`, and 69 for `handraise ls`.
import { join } from 'node:path';

/** What every worker loads on its way, by a dynamic import in `compose.js`; the rest there is for other commands, or for some homes only. */
const forWorkers = [
  'host/open-host.js',
  'host/worker-file.js',
  'host/store-choice.js',
  'host/end-when-idle.js',
  'host/end-without-home.js',
  'host/trust/agent-caller.js',
  'host/trust/agent-env.js',
  'host/trust/calling-processes.js',
  'host/trust/in-batches.js',
  'http/open-port.js',
  'http/server.js',
  'process/families/own-identity.js',
  'protocol/channel-config.js',
  'protocol/id.js',
  'protocol/scripts-config.js',
  'protocol/tool-output.js',
  'runtimes/container-catalog.js',
  'runtimes/installed-runtimes.js',
  'runtimes/acp/profile.js',
  'runtimes/amp/profile.js',
  'runtimes/claude/profile.js',
  'runtimes/codex/profile.js',
  'runtimes/exec/profile.js',
  'runtimes/opencode/profile.js',
  'runtimes/outside/profile.js',
];

/** So many commands need it that the others may as well load it. */
const commonToCommands = 12;

/** What most commands need; the version is printed without it. @param {string} dist @returns {import('rolldown').CodeSplittingGroup} */
export function commonChunk(dist) {
  /** @type {Set<string> | undefined} */
  let first;
  return {
    name: (id, context) => {
      first ??= reached([join(dist, 'cli/main.js')], context);
      return first.has(id) ? null : 'common';
    },
    debugName: 'common',
    minShareCount: commonToCommands,
  };
}

/**
 * `handraise up` in two files: what starts the store's thread, and all that a worker needs while that thread opens its file.
 * @param {string} dist @returns {import('rolldown').CodeSplittingGroup}
 */
export function workerChunks(dist) {
  const entry = join(dist, 'cli/worker-main.js');
  /** @type {{ start: Set<string>, host: Set<string> } | undefined} */
  let chunks;
  /** @type {import('rolldown').CodeSplittingNameFunction} */
  const name = (id, context) => {
    if (chunks === undefined) {
      const start = reached([entry, join(dist, 'store/sqlite/sqlite-store.js')], context);
      const host = reached(
        forWorkers.map((file) => join(dist, file)),
        context,
      );
      chunks = { start, host };
    }
    // The entry awaits its imports, so nothing that is imported on the way may be in one file with it.
    if (id === entry) return null;
    return chunks.start.has(id) ? 'start' : chunks.host.has(id) ? 'host' : null;
  };
  return { name, debugName: 'worker' };
}

/** These modules and what they import from the beginning. @param {string[]} roots @param {import('rolldown').ChunkingContext} context */
function reached(roots, context) {
  /** @type {Set<string>} */
  const found = new Set();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
