import { basename } from 'node:path';
import { LineJournal } from '../process/line-journal.js';
import { ownIdentity } from '../process/own-identity.js';
import { detachedProtocol } from '../protocol/detached.js';
import { Failure } from '../protocol/failure.js';
import { RunId } from '../protocol/id.js';
import { stringField } from '../protocol/string-field.js';
import type { Launch, Runtime } from '../runtimes/runtime.js';
import type { Detached } from './arguments.js';
import { CommandReceipts } from './command-receipts.js';
import { Runner, type RunnerOutside } from './runner.js';
import { SpooledEvents } from './spooled-events.js';
import { WorkerSocket } from './worker-socket.js';

const spoolCapBytes = 256 * 2 ** 20;
const lookForWorkerMs = 1000;

/** A runner with what it takes to let go of it. */
export interface StartedRunner {
  readonly runner: Runner;
  /** Writes out what is still open and lets go of the channel. */
  close(): Promise<void>;
}

/** What both kinds of runner get alike. */
export type World = Omit<RunnerOutside, 'emit' | 'deadlineMs' | 'receipts' | 'whenWritable' | 'mayPark'>;

/** A runner that a worker can leave and find again: journal first, then the socket, then the agent. */
export async function startDetached(
  runtime: Runtime,
  launch: Launch,
  { detached, world, capBytes = spoolCapBytes }: { detached: Detached; world: World; capBytes?: number },
): Promise<StartedRunner> {
  const runId = RunId.safeParse(basename(detached.spool));
  if (!runId.success)
    throw new Failure('usage', '--spool: the folder is named after the run, for example run_01….');
  const journal = LineJournal.open(detached.spool);
  if (journal.lastSeq > 0)
    throw new Failure('conflict', `--spool: ${detached.spool} holds another run already.`);

  const socket = new WorkerSocket({
    path: detached.socket,
    journalFolder: detached.spool,
    hello: () => ({
      type: 'hello',
      protocol: detachedProtocol,
      runId: runId.data,
      ...ownIdentity(),
      lastRunSeq: journal.lastSeq,
    }),
    lastSeq: () => journal.lastSeq,
    line: (line) => {
      if (line.kind === 'bad') runner.badLine(line.message, line.line);
      else if (stringField(line.value, 'commandId') !== undefined) void runner.handle(line.value);
      else runner.refuse(line.value, 'A command to a detached runner needs a "commandId".');
    },
    acknowledged: (seq) => events.acknowledged(seq),
    log: world.log,
  });
  await socket.listen();

  const events = new SpooledEvents({
    journal,
    capBytes,
    now: world.now,
    log: world.log,
    published: (seq, line) => socket.published(seq, line),
    told: (line) => socket.told(line),
  });
  const emit: RunnerOutside['emit'] = (event) => events.emit(event);
  const runner = new Runner(runtime, launch, {
    ...world,
    emit,
    // The worker keeps the time of a question that outlives this process.
    deadlineMs: null,
    mayPark: true,
    receipts: new CommandReceipts({ emit, reply: (frame) => socket.reply(frame) }),
    whenWritable: () => events.whenWritable(),
  });
  const orphan = watchOrphan({ socket, runner, now: world.now, limitMs: detached.orphanLimitMs });

  return {
    runner,
    close: async () => {
      clearInterval(orphan);
      events.close();
      await socket.close();
    },
  };
}

function watchOrphan(watch: {
  socket: WorkerSocket;
  runner: Runner;
  now: () => number;
  limitMs: number;
}): NodeJS.Timeout {
  let attachedAt = watch.now();
  return setInterval(() => {
    if (watch.socket.isAttached) attachedAt = watch.now();
    else if (watch.now() - attachedAt > watch.limitMs) void watch.runner.shutdown('orphaned');
  }, lookForWorkerMs);
}
