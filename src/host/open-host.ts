import { join } from 'node:path';
import { outcomeOf } from '../domain/outcome.js';
import type { DispatchId, ThreadId } from '../protocol/id.js';
import type { Store } from '../store/store.js';
import { Activities } from './activities.js';
import { Admission, type AdmissionOutside } from './admission.js';
import { Courier } from './courier.js';
import { DispatchDesk } from './dispatch-desk.js';
import { Dispatcher, type DispatcherSettings } from './dispatcher.js';
import type { Actor, Host } from './host.js';
import { interruptThread } from './interruption.js';
import { Launcher } from './launcher.js';
import { LiveFeed } from './live-feed.js';
import { NotificationSender, type NotificationSenderOutside } from './notify/notification-sender.js';
import { Notifications, type NotificationsOutside } from './notify/notifications.js';
import { ProjectCodeDesk } from './project-code.js';
import { PromptDesk, type PromptDeskOutside } from './prompt-desk.js';
import { Statuses } from './statuses.js';
import { ThreadBook } from './thread-book.js';
import { ThreadDesk } from './thread-desk.js';
import type { ThreadState } from './thread-state.js';
import { Worker, type WorkerOutside } from './worker.js';
import { Worktrees } from './worktrees.js';

export interface HostOutside
  extends Omit<WorkerOutside, 'book' | 'aside' | 'recorded' | 'attached'>,
    Pick<AdmissionOutside, 'checkLaunch' | 'asksApprovals'>,
    Pick<PromptDeskOutside, 'can'> {
  readonly store: Store;
  readonly settings: DispatcherSettings & {
    readonly retries: number;
    readonly onRestart: 'keep' | 'cancel';
  };
  readonly random: () => number;
  readonly monotonic: () => number;
  readonly newThreadId: () => ThreadId;
  readonly newDispatchId: () => DispatchId;
  readonly newUuid: () => string;
  readonly runtimes: Host['runtimes'];
  readonly notify: Omit<NotificationSenderOutside, 'store' | 'now' | 'log'> &
    Pick<NotificationsOutside, 'publicUrl'>;
}

const tellingTypes = new Set(['prompt_asked', 'dispatch_ended']);

/** A host that works; closing it ends neither runners nor agents. */
export interface OpenedHost extends Host, AsyncDisposable {
  /** Whether any dispatch has not ended. */
  hasWork(): Promise<boolean>;
}

/** Opens a worker with everything around it: takes up the runs that are under way, then the work. */
export async function openHost(outside: HostOutside): Promise<OpenedHost> {
  const { store, home, env, now, log } = outside;
  const notifications = new Notifications({ ...outside.notify, now });
  const book = new ThreadBook(store, now, (thread, says) => notifications.operationsFor(thread, says));
  const sender = NotificationSender.open({ ...outside.notify, store, now, log });
  const feed = new LiveFeed();
  const statuses = new Statuses();
  const activities = new Activities();
  const courier = new Courier({
    store,
    book,
    send: (runId, command) => worker.watch(runId)?.send(command) ?? false,
  });
  const listening = book.listen({
    changed: ({ state, before, events }) => {
      activities.note(state.thread.id, events);
      feed.publish(state.thread.id, events);
      if (state.thread.status !== before.thread.status)
        statuses.publish({ threadId: state.thread.id, status: state.thread.status });
      for (const prompt of newlyDeliverable(before, state)) courier.answer(prompt);
      if (events.some(({ type }) => tellingTypes.has(type))) sender.wake();
      if (hasLeftPlanMode(before, state)) void workWithoutAsking(worker, state, outside);
    },
  });
  const worker: Worker = await Worker.open({
    ...outside,
    book,
    asking: { ...outside.asking, declined: (request) => courier.withdraw(request) },
    aside: (run, said) => feed.aside(run.threadId, said),
    attached: (run) =>
      void courier.catchUp(run).catch((error: unknown) => log(`${run.id}: ${String(error)}`)),
  });
  const projectCode = new ProjectCodeDesk({ file: join(home, 'trusted-projects.json'), now });
  const worktrees = new Worktrees({ root: join(home, 'worktrees'), env });
  const launcher = new Launcher({ store, book, worker, worktrees, projectCode });
  const admission = new Admission({ ...outside, book });
  const deskOutside = { ...outside, book, worker, courier, admission, worktrees };
  const dispatches = new DispatchDesk({ ...deskOutside, dispatcher: () => dispatcher });
  const prompts = new PromptDesk({
    ...deskOutside,
    isReachable: (runId) => worker.watch(runId)?.isAttached ?? false,
    failWork: async ({ threadId }) => {
      const ending = {
        execution: { kind: 'completed' },
        claim: 'needs_input',
        verification: 'not_run',
      } as const;
      const outcome = outcomeOf({ ...ending, reason: 'unanswered' });
      await dispatches.callOffThread(threadId, { outcome, promptReason: 'deadline' });
      await interruptThread(threadId, { book, worker, now });
    },
  });
  const threads = new ThreadDesk({
    ...deskOutside,
    activities,
    dispatches,
    prompts,
  });
  const dispatcher: Dispatcher = await Dispatcher.open({
    ...outside,
    book,
    worker,
    courier,
    launcher,
    retries: outside.settings.retries,
    everySecond: async () => await prompts.expire(),
  });
  if (outside.settings.onRestart === 'cancel') await cancelOpen(prompts);

  const threadsWithAgents = () => worker.runs.map(({ run }) => run.threadId);
  const endAll = async (ids: readonly ThreadId[], actor: Actor) => {
    const why = { promptReason: 'worker_shutdown', actor };
    await Promise.all([...new Set(ids)].map(async (id) => await threads.end(id, `stopped by ${actor}`, why)));
  };

  return {
    dispatches,
    threads,
    prompts,
    feed,
    statuses,
    projectCode,
    changes: () => store.subscribe({ topics: ['thread', 'events', 'status', 'dispatch', 'prompt'] }),
    usage: async (by) => await store.query('usage', { by }),
    workers: async () => await store.query('workers', {}),
    runtimes: outside.runtimes,
    stopAgents: async (actor) => {
      const leaving = await dispatcher.leaving();
      await endAll([...leaving.threads, ...threadsWithAgents()], actor);
      await leaving.letGo();
      // Whoever was just being started.
      await endAll(threadsWithAgents(), actor);
    },
    hasWork: async () => {
      const states = ['queued', 'running', 'waiting'] as const;
      const pages = await Promise.all(
        states.map(async (state) => await store.query('dispatches', { state, limit: 1 })),
      );
      return pages.some(({ rows }) => rows.length > 0);
    },
    [Symbol.asyncDispose]: async () => {
      await dispatcher[Symbol.asyncDispose]();
      await worker[Symbol.asyncDispose]();
      listening[Symbol.dispose]();
      await sender[Symbol.asyncDispose]();
    },
  };
}

/** Whether the plan of an autonomous thread was approved just now. */
function hasLeftPlanMode(before: ThreadState, { thread, run }: ThreadState): boolean {
  if (thread.launch.permissions !== 'autonomous' || before.run?.run.id !== run?.run.id) return false;
  return run?.facts.mode === 'default' && before.run?.facts.mode !== 'default';
}

/** From the approved plan on, an autonomous agent works as autonomous agents do. */
async function workWithoutAsking(
  worker: Worker,
  { run }: ThreadState,
  { now, log }: Pick<HostOutside, 'now' | 'log'>,
): Promise<void> {
  if (!run) return;
  try {
    const at = new Date(now()).toISOString();
    const posture = { permissionMode: 'bypassPermissions' } as const;
    await worker.amend(run.run.id, { posture, actor: 'policy:autonomous', at });
  } catch (error) {
    log(`${run.run.id}: ${String(error)}`);
  }
}

/** The conservative way: whoever asked before this worker started hears that nobody answers. */
async function cancelOpen(prompts: PromptDesk): Promise<void> {
  for (;;) {
    const { rows } = await prompts.list({ open: true });
    if (rows.length === 0) return;
    for (const { id } of rows) await prompts.cancel(id, { reason: 'worker_restart' });
  }
}

/** Answers that were accepted, and whose request has just become known. */
function newlyDeliverable(before: ThreadState, state: ThreadState) {
  return state.prompts.filter((prompt) => {
    if (prompt.acceptedAt === undefined || prompt.runId !== state.run?.run.id) return false;
    return !before.prompts.some(({ id, requestId }) => id === prompt.id && requestId === prompt.requestId);
  });
}
