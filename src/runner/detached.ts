import { uptime } from 'node:os';
import { basename } from 'node:path';
import type { UseMeter } from '../process/children/use-meter.js';
import { killLeftovers } from '../process/families/leftovers.js';
import { ownIdentity } from '../process/families/own-identity.js';
import { ProcessFamily } from '../process/families/process-family.js';
import { LineJournal } from '../process/files/line-journal.js';
import { detachedProtocol } from '../protocol/detached.js';
import type { EventBody } from '../protocol/event.js';
import { Failure } from '../protocol/failure.js';
import { RunId } from '../protocol/id.js';
import { CommentsFrame } from '../protocol/review-comment.js';
import { stringField } from '../protocol/string-field.js';
import type { Launch, Runtime } from '../runtimes/runtime.js';
import type { Detached } from './arguments.js';
import { AttachGate } from './attach-gate.js';
import { CommandReceipts } from './command-receipts.js';
import { ownDialect } from './dialect.js';
import { cutOffWarning, RunDeadline } from './run-deadline.js';
import { Runner } from './runner.js';
import type { RunnerWorld } from './runner-channel.js';
import { SpooledEvents } from './spooled-events.js';
import { ThreadComments } from './thread-comments.js';
import { UseReports } from './use-reports.js';
import { WorkerSocket } from './worker-socket.js';

const spoolCapBytes = 256 * 2 ** 20;
const lookForWorkerMs = 1000;
const lookAtDeadlineMs = 250;

/** A runner with what it takes to let go of it. */
export interface StartedRunner {
  readonly runner: Runner;
  /** Writes out what is still open and lets go of the channel. */
  close(): Promise<void>;
}

/** A runner that a worker can leave and find again: journal first, then the socket, then the agent. */
export async function startDetached(
  runtime: Runtime,
  launch: Launch,
  {
    detached,
    world,
    meter,
    capBytes = spoolCapBytes,
  }: { detached: Detached; world: RunnerWorld; meter?: UseMeter; capBytes?: number },
): Promise<StartedRunner> {
  const runId = RunId.safeParse(basename(detached.spool));
  if (!runId.success)
    throw new Failure('usage', '--spool: the folder must be named after the run, for example run_01….');
  const journal = LineJournal.open(detached.spool);
  if (journal.lastSeq > 0)
    throw new Failure('conflict', `--spool: ${detached.spool} already holds another run.`);

  const { secret, epoch } = detached;
  const socket = new WorkerSocket({
    path: detached.socket,
    journalFolder: detached.spool,
    secret,
    epoch,
    gate: new AttachGate({ secret, runId: runId.data, socket: detached.socket }),
    hello: () => ({
      type: 'hello',
      protocol: detachedProtocol,
      runId: runId.data,
      ...ownIdentity(),
    }),
    log: world.log,
  });
  const events = new SpooledEvents({
    journal,
    capBytes,
    now: world.wallClock,
    log: world.log,
    published: (seq, line) => socket.published(seq, line),
    publishedLive: (line) => socket.publishedLive(line),
  });
  const deadline = new RunDeadline(detached.runUntil);
  // Nothing is begun that somebody else may have begun by now; whoever started this reads why in the journal.
  if (deadline.look(uptimeMs()) !== 'go_on') {
    events.emit({ type: 'warning', message: cutOffWarning });
    events.emit({ type: 'shutdown', reason: 'deadline' });
    await events.close();
    throw new Failure('unavailable', '--run-until has passed: another worker may have this work by now.');
  }
  await socket.listen();

  // Made with the channel that it needs, so that it is there only for what comes after.
  const late: { runner?: Runner } = {};
  const reports =
    meter &&
    new UseReports(meter, {
      emit: (event) => events.emit(event),
      isAsking: () => late.runner?.isAsking ?? false,
    });
  const emit = (event: EventBody) => events.emit(reports?.with(event) ?? event);
  const comments = new ThreadComments(emit, world);
  const runner = new Runner(runtime, launch, {
    world,
    channel: {
      emit,
      // The worker keeps the time of a question that outlives this process.
      deadlineMs: null,
      mayPark: true,
      takesOutput: true,
      comments,
      dialect: ownDialect,
      receipts: new CommandReceipts({ emit, reply: (frame) => socket.reply(frame) }),
      whenWritable: () => events.whenWritable(),
    },
  });
  late.runner = runner;
  socket.serve({
    line: (line) => {
      if (line.kind === 'bad') return runner.badLine(line.message, line.line);
      const told = CommentsFrame.safeParse(line.value);
      if (told.success) comments.tell(told.data.comments);
      else if (stringField(line.value, 'commandId') !== undefined) {
        void runner.handle(line.value);
        reports?.look();
      } else runner.refuse(line.value, 'A command to a detached runner needs a "commandId".');
    },
    acknowledged: (seq) => events.acknowledged(seq),
    renewed: (until) => deadline.renew(until),
  });
  const orphan = watchOrphan({ socket, runner, limits: detached });
  const watch = watchDeadline({ deadline, runner, emit, marker: world.marker });

  return {
    runner,
    close: async () => {
      clearInterval(orphan);
      clearInterval(watch);
      reports?.close();
      await events.close();
      await socket.close();
    },
  };
}

/** Stops the agent once its deadline has passed, politely at first and then with everything that it has started. */
function watchDeadline(watch: {
  readonly deadline: RunDeadline;
  readonly runner: Runner;
  readonly emit: (event: EventBody) => void;
  readonly marker: RunnerWorld['marker'];
}): NodeJS.Timeout {
  const { deadline, runner, emit, marker } = watch;
  return setInterval(() => {
    const step = deadline.look(uptimeMs());
    if (step === 'interrupt') {
      emit({ type: 'warning', message: cutOffWarning });
      void runner.shutdown('deadline');
    } else if (step === 'kill') {
      void killLeftovers(new ProcessFamily({ marker }), { settleMs: 0, killMs: 2000 });
    }
  }, lookAtDeadlineMs);
}

function uptimeMs(): number {
  return Math.round(uptime() * 1000);
}

/** Ends a runner that no worker comes for: soon when it has nothing to do, much later when somebody may still want it. */
function watchOrphan(watch: {
  readonly socket: WorkerSocket;
  readonly runner: Runner;
  readonly limits: Pick<Detached, 'orphanLimitMs' | 'idleLimitMs'>;
}): NodeJS.Timeout {
  const { socket, runner, limits } = watch;
  // Counted in looks that were taken, so that a laptop's sleep does not count, nor a clock that jumps.
  let aloneMs = 0;
  let idleMs = 0;
  return setInterval(() => {
    aloneMs = socket.isAttached ? 0 : aloneMs + lookForWorkerMs;
    idleMs = socket.isAttached || !runner.isIdle ? 0 : idleMs + lookForWorkerMs;
    if (aloneMs > limits.orphanLimitMs) void runner.shutdown('orphaned');
    else if (idleMs > limits.idleLimitMs) void runner.shutdown('idle without a worker');
  }, lookForWorkerMs);
}
