// @module-tag full
// CWE-400 and CWE-770: whatever fills the disk must not make a runner eat the machine, nor end the work of its agent.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import { canMount, fillDisk, mountSmallDisk, takeInodes } from '../../harness/small-disk.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage } from '../host-stage.js';

const ticksPerSecond = 100;
const fullForMs = 5000;

/** A host whose home is a small disk of its own. */
async function onSmallDisk(runtime: 'claude' | 'codex'): Promise<HostStage> {
  return await openHostStage({ keepSpare: false }, runtime, mountSmallDisk);
}

interface Use {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

function useOf(pid: number): Use {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    residentBytes: Number(fields[21]) * 4096,
  };
}

const text = '[[slow 40]] [[deltas 150 word\n\nand]]';
const cases: readonly [string, 'claude' | 'codex', string, Partial<DispatchRequest>][] = [
  ['Claude', 'claude', text, { permissions: 'autonomous' }],
  ['Codex', 'codex', text, { permissions: 'autonomous' }],
  [
    'a command',
    'claude',
    'for i in $(seq 150); do echo word; echo; sleep 0.04; done',
    {
      runtime: 'exec',
      posture: { command: 'sh -c {prompt}', env: { AGORA_DISABLE_NEEDS_INPUT_HELPER: 'true' } },
    },
  ],
];

test.runIf(canMount).each(cases)(
  'a full disk pauses the runner of %s, which goes on when there is room, and nothing is lost',
  async (_name, runtime, work, request) => {
    const at = await onSmallDisk(runtime);
    const dispatch = await at.work(work, { retries: 0, ...request });
    await waitUntil(
      'the agent has said something',
      async () => (await at.events(dispatch.threadId, 'assistant_text')).length > 5,
    );
    const run = (await at.store.query('runs', { threadId: dispatch.threadId })).rows[0];
    const pid = run?.process?.pid ?? 0;
    const filler = join(at.home, 'filler');
    fillDisk(filler);
    const before = useOf(pid);
    await delay(fullForMs);
    const after = useOf(pid);
    const launch = join(at.home, 'launches', run?.id ?? '');
    const output = readdirSync(launch).map((name) => statSync(join(launch, name)).size);
    rmSync(filler);

    expect(after.cpuSeconds - before.cpuSeconds).toBeLessThan(fullForMs / 1000 / 2);
    expect(after.residentBytes - before.residentBytes).toBeLessThan(60 * 2 ** 20);
    expect(Math.max(...output)).toBeLessThan(100_000);
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded' });
    const events = await at.events(dispatch.threadId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const said = events.filter(({ type }) => type === 'assistant_text').map(({ content }) => content);
    expect(said.join('').match(/word/g)?.length).toBe(150);
  },
);

test.runIf(canMount)(
  'CWE-703: a disk with neither room nor inodes, on which a worker cannot attach again, does not make it let go of the run',
  async () => {
    const at = await onSmallDisk('claude');
    const dispatch = await at.work('while [ ! -e go ]; do echo word; echo; sleep 0.05; done', {
      retries: 0,
      runtime: 'exec',
      posture: { command: 'sh -c {prompt}', env: { AGORA_DISABLE_NEEDS_INPUT_HELPER: 'true' } },
    });
    await at.firstEvent(dispatch.threadId, 'assistant_text');
    const { workspace } = await at.host.threads.get(dispatch.threadId);
    const filler = join(at.home, 'filler');
    fillDisk(filler);
    const giveBack = takeInodes(at.home);
    const refused = () => at.log.filter((line) => line.includes('ENOSPC') && line.includes('open'));
    await waitUntil('the worker fails to attach', () => refused().length > 0);
    await delay(fullForMs);
    expect(refused()).toHaveLength(1);
    giveBack();
    rmSync(filler);
    writeFileSync(join(workspace.path, 'go'), '');
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded' });
  },
);

test.skipIf(canMount)('a full disk (skipped: this needs root and a tmpfs of its own)', () => {});
