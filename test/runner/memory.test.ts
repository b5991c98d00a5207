// Real control groups and a real kernel that ends processes; where a user may have none, the tests say that they were skipped.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunMemory } from '../../src/process/children/run-memory.js';
import { MemoryGroup } from '../harness/memory-group.js';
import { openStage, type Stage } from '../harness/stage.js';
import { waitUntil } from '../harness/wait-until.js';
import { Driver } from './driver.js';
import { bash } from './prompting.js';
import { first, only, textOf } from './stable.js';

const canMakeGroups = RunMemory.isPossible();
const limit = ['--memory-limit', String(400 * 2 ** 20)];
// It has to be stopped by somebody: it takes memory until there is none.
const eater = 'const all=[];for(;;)all.push(Buffer.alloc(1e7,1))';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
  writeFileSync(join(stage.workspace, 'eat.js'), eater);
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const ownGroup = join(
  '/sys/fs/cgroup/memory',
  /^\d+:memory:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '',
);
const groupsOf = (runner: Driver) =>
  readdirSync(ownGroup).filter((name) => name.startsWith(`handraise-run-${runner.pid}.`));

test.runIf(canMakeGroups)(
  '[arg --memory-limit] a tool that takes all memory is ended and told, and its agent goes on; nothing is left',
  async () => {
    await using runner = new Driver(stage, { args: limit });
    const turn = await runner.turn(`${bash('node eat.js')} [[next]] [[text Still here.]]`);
    expect(textOf(turn)).toBe('Still here.');
    const { message } = await runner.next('warning');
    expect(message).toBe(
      'A process that the agent had started was killed by the system because memory ran out. The agent goes on.',
    );
    // Somebody else's SIGKILL later is not memory.
    for (const { pid } of await runner.processes('--output-format')) process.kill(pid, 'SIGKILL');
    const { last } = await runner.end();
    expect(first(last, 'agent_exited')).toMatchObject({ signal: 'SIGKILL', oom: false });
    expect(groupsOf(runner)).toEqual([]);
  },
);

test.runIf(canMakeGroups)('an agent that is ended for want of memory is told as that', async () => {
  await using runner = new Driver(stage, { args: ['--memory-limit', String(64 * 2 ** 20)] });
  runner.message('[[text Never.]]');
  const { last } = await runner.end();
  expect(first(last, 'agent_exited')).toMatchObject({ signal: 'SIGKILL', oom: true });
  expect(only(last, 'error')[0]?.message).toContain('because memory ran out');
  expect(groupsOf(runner)).toEqual([]);
});

test.runIf(canMakeGroups)(
  "a neighbour's want of memory is not taken for one's own",
  { tags: ['full'] },
  async () => {
    const shared = new MemoryGroup(1500 * 2 ** 20);
    // What is started from here on is in the same group, and shares its count of kills.
    shared.add(process.pid);
    await using runner = new Driver(stage);
    await runner.turn('[[text Hello.]]');
    const eat = () => execFileSync(process.execPath, ['eat.js'], { cwd: stage.workspace, stdio: 'ignore' });
    expect(eat).toThrow();
    writeFileSync(join(ownGroup, 'cgroup.procs'), String(process.pid));
    expect(shared.kills).toBe(1);
    for (const { pid } of await runner.processes('--output-format')) process.kill(pid, 'SIGKILL');
    const { last } = await runner.end();
    expect(first(last, 'agent_exited')).toMatchObject({ signal: 'SIGKILL', oom: false });
  },
);

test.runIf(canMakeGroups)(
  'after kill -9 of everything the next start removes the control group',
  { tags: ['full'] },
  async () => {
    const killed = new Driver(stage);
    await killed.turn('[[text Hello.]]');
    expect(groupsOf(killed)).toHaveLength(1);
    for (const { pid } of await killed.processes()) process.kill(pid, 'SIGKILL');
    await killed.exited;
    await waitUntil('everything has ended', async () => (await killed.processes()).length === 0);
    await using next = new Driver(stage);
    await next.turn('[[text Hello.]]');
    await waitUntil('the group is removed', () => groupsOf(killed).length === 0);
  },
);

test.skipIf(canMakeGroups)('memory of runs (skipped: this user may make no control group)', () => {});
