import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { FamilyUse } from '../../../src/process/families/family-use.js';
import { waitUntil } from '../../harness/wait-until.js';

// By its own clock: on a loaded machine a second holds little of it.
const burn = (ms: number) => `while(process.cpuUsage().user<${ms * 1000});`;

test.runIf(process.platform === 'linux')(
  'a process counts with what it has started, also once all of them have ended',
  async () => {
    const inner = `require('node:child_process').spawnSync(process.execPath,['-e',${JSON.stringify(burn(300))}])`;
    const held = `globalThis.held=Buffer.alloc(8e7,1);${inner};console.log('over');setInterval(()=>{},1000)`;
    const child = spawn(process.execPath, ['-e', held], { detached: true });
    onTestFinished(() => void child.kill('SIGKILL'));
    const family = new FamilyUse(child.pid ?? 0);
    await once(child.stdout, 'data');
    family.search();
    expect(family.use?.cpuMs).toBeGreaterThan(250);
    expect(family.use?.memoryBytes).toBeGreaterThan(8e7);
    const before = family.use?.cpuMs ?? 0;
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(family.use).toEqual({ cpuMs: expect.any(Number), memoryBytes: 0 });
    expect(family.use?.cpuMs).toBeGreaterThanOrEqual(before);
  },
);

test.runIf(process.platform === 'linux')(
  'a process that was started since is found when it is searched for, and counts also when its parent has ended',
  async () => {
    const grandchild = `globalThis.held=Buffer.alloc(8e7,1);${burn(300)}console.log('over');setInterval(()=>{},1000)`;
    const child = spawn('sh', ['-c', 'read go; "$NODE" -e "$PROGRAM" & echo $!; wait'], {
      env: { ...process.env, NODE: process.execPath, PROGRAM: grandchild },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const family = new FamilyUse(child.pid ?? 0);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (said += chunk));
    child.stdin.write('go\n');
    await waitUntil('it has used time and memory', () => said.includes('over'));
    const pid = Number.parseInt(said, 10);
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    family.search();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(family.use?.cpuMs).toBeGreaterThan(250);
    expect(family.use?.memoryBytes).toBeGreaterThan(8e7);
  },
);
