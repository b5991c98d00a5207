import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { AgentInside, agentAmong } from '../../../src/process/containers/agent-inside.js';
import type { ProcessRow } from '../../../src/process/families/process-source.js';
import { readProcesses } from '../../../src/process/families/process-table.js';
import { killProcess } from '../../harness/kill-process.js';
import { waitUntil } from '../../harness/wait-until.js';

const row = (pid: number, ppid: number, startTime: number): ProcessRow => ({
  pid,
  ppid,
  pgid: pid,
  sid: pid,
  state: 'S',
  name: 'any',
  identity: { pid, startTime: String(startTime), bootId: 'boot' },
});

test.each<[string, ProcessRow[], number | undefined]>([
  ['the child of what the shell has started', [row(50, 1, 1), row(51, 50, 2), row(52, 51, 3)], 52],
  [
    'not what an orphan has started',
    [row(50, 1, 1), row(51, 50, 2), row(52, 51, 3), row(40, 50, 9), row(41, 40, 10)],
    52,
  ],
  ['not what the agent has started', [row(50, 1, 1), row(51, 50, 2), row(52, 51, 30), row(53, 52, 31)], 52],
  ['nobody, before it was started', [row(50, 1, 1), row(51, 50, 2)], undefined],
  ['nobody, in a container that is empty', [], undefined],
])('the agent is %s', (_what, rows, agent) => {
  expect(agentAmong(rows, 50)?.pid).toBe(agent);
});

test.runIf(process.platform === 'linux')(
  'it lives until it is killed; one that was never seen is unknown',
  async () => {
    const shell = spawn('sh', ['-c', 'sh -c "sleep 600; true"; true'], { detached: true, stdio: 'ignore' });
    await once(shell, 'spawn');
    const first = shell.pid ?? 0;
    onTestFinished(() => void process.kill(-first, 'SIGKILL'));
    const members = () => readProcesses().flatMap(({ pid, pgid }) => (pgid === first ? [pid] : []));
    const inside = new AgentInside(first, members);
    expect(new AgentInside(first, () => []).isLiving).toBe(undefined);
    await waitUntil('it is seen', () => inside.isLiving === true);
    const agent = readProcesses().find(({ name, pgid }) => name === 'sleep' && pgid === first);
    killProcess(agent?.pid);
    // In that very moment, however long it takes to be gone.
    expect(inside.isLiving).toBe(false);
  },
);
