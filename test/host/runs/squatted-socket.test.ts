// CWE-367 and CWE-703: somebody else listens where a runner was. The run is settled all the same, and can be stopped.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { RunFolders } from '../../../src/host/runs/run-folder.js';
import { newId } from '../../../src/protocol/id.js';
import { ProcessIdentity } from '../../../src/protocol/run.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const program = fileURLToPath(new URL('../scripted-runner.js', import.meta.url));

async function played(at: HostStage): Promise<{
  readonly threadId: Awaited<ReturnType<HostStage['thread']>>['id'];
  readonly runner: ChildProcess;
  readonly socket: string;
}> {
  const { id: threadId } = await at.host.threads.create(
    { runtime: 'claude', workspace: { path: at.folder() }, posture: {} },
    owner,
  );
  const id = newId('run', { now: () => Date.now(), randomBytes });
  const socket = new RunFolders(at.home).socket(id);
  const runner = spawn(process.execPath, [program, socket, id], {
    env: at.stage.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void runner.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: runner.stdout }), 'line');
  const run = {
    id,
    threadId,
    process: ProcessIdentity.parse(JSON.parse(String(line)).ready),
    runtime: 'claude',
    posture: {},
    startedAt: new Date().toISOString(),
  } as const;
  await at.store.commit({ operations: [{ do: 'insertRun', run }] });
  // A worker finds the runs of its home when it starts.
  await at.leave();
  await at.open();
  return { threadId, runner, socket };
}

const hello = { type: 'hello', protocol: 3, runId: 'run_0', lastRunSeq: 0, nonce: 'n', pid: 1 };
const greetings: readonly [string, string][] = [
  ['greets as a runner and has no proof', `${JSON.stringify({ ...hello, startTime: '1', bootId: 'b' })}\n`],
  ['says something else', 'garbage\n'],
  ['hangs up', ''],
];

test.each(greetings)(
  'a run whose runner is dead, and at whose socket somebody %s, is settled',
  async (_name, words) => {
    const at = await openHostStage();
    const { threadId, runner, socket } = await played(at);
    const died = once(runner, 'exit');
    runner.kill('SIGSTOP');
    rmSync(socket, { force: true });
    const squatter = createServer((one) => {
      one.on('error', () => {});
      if (words === '') one.destroy();
      else one.write(words);
      one.on('data', () => one.write('{"type":"attached","proof":"wrong"}\n'));
    });
    await new Promise<void>((resolve) => squatter.listen(socket, resolve));
    onTestFinished(() => void squatter.close());
    runner.kill('SIGKILL');
    await died;
    await at.firstEvent(threadId, 'run_ended');
    await at.host.threads.stop(threadId, owner);
    const { rows } = await at.store.query('runs', { threadId });
    expect(rows).toMatchObject([{ endedAt: expect.any(String) }]);
  },
);
