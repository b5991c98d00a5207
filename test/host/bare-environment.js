// What a worker without a host around it is made of: runs are started and followed, and nobody decides about work.
import { randomBytes, randomUUID } from 'node:crypto';
import { newId } from '../../dist/protocol/index.js';

const source = { now: Date.now, randomBytes };

/** @param {{ keepSpare?: 'claude' }} options */
export function bareEnvironment({ keepSpare }) {
  return {
    clock: { now: Date.now, monotonic: () => performance.now() },
    uptime: () => performance.now(),
    settings: {
      slots: 1,
      maxAgents: 1000,
      usualPosture: () => ({ settingSources: [/** @type {const} */ ('project')] }),
      retries: 0,
      idleTimeoutMs: 15 * 60 * 1000,
      toolOutputLimit: 2 ** 20,
      holdForMs: 0,
      unanswered: {},
      onRestart: /** @type {const} */ ('keep'),
      keep: {},
      repositories: {},
      worktreePorts: { from: 20_000, to: 29_999 },
      fetching: { protocols: [], limitBytes: 2 ** 30 },
      watchEveryMs: 60_000,
      tidyEveryMs: 3_600_000,
      absence: { leaseMs: 30_000, deadlineMs: 120_000, marginMs: 30_000 },
      labels: [],
      sharedFolders: [],
      keepSpare,
    },
    ids: {
      run: () => newId('run', source),
      prompt: () => newId('prompt', source),
      schedule: () => newId('schedule', source),
      pipeline: () => newId('pipeline', source),
      rule: () => newId('rule', source),
      thread: () => newId('thread', source),
      dispatch: () => newId('dispatch', source),
      uuid: randomUUID,
    },
    runtimes: {
      checkLaunch: () => {},
      can: () => true,
      obeys: () => true,
      report: async () => [],
      expectInstalled: () => {},
      findings: async () => [],
      thoroughFindings: async () => [],
      commandOf: () => undefined,
      savedSession: async () => undefined,
      sweepContainers: async () => {},
      expectImage: async () => {},
    },
    log: /** @param {string} line */ (line) => void process.stderr.write(`${line}\n`),
  };
}
