import { join } from 'node:path';
import { isHeldBack } from '../domain/prompts/thread-prompt.js';
import type { ThreadId } from '../protocol/id.js';
import { AfterCommit } from './after-commit.js';
import { ChatAnswers } from './chat/chat-answers.js';
import { openChats } from './chat/open-chats.js';
import { EventMoves } from './cleanup/event-moves.js';
import { Pruning } from './cleanup/pruning.js';
import { Retention } from './cleanup/retention.js';
import { backUp } from './cleanup/store-backup.js';
import { ThreadImport } from './cleanup/thread-import.js';
import { ThreadRemoval } from './cleanup/thread-removal.js';
import { assembleDispatches } from './dispatches/assemble-dispatches.js';
import { ChangesOfOthers } from './feeds/changes-of-others.js';
import { LiveFeed } from './feeds/live-feed.js';
import { StatusFeed } from './feeds/status-feed.js';
import type { Actor, Host } from './host.js';
import type { HostEnvironment } from './host-environment.js';
import { LandingService } from './landing/landing-service.js';
import { RequestWatches } from './landing/request-watches.js';
import { listPage } from './list-page.js';
import { assembleNotifications } from './notify/assemble-notifications.js';
import { ObservedSessions } from './observed/observed-sessions.js';
import { isWorkOpen } from './open-work.js';
import { assemblePipelines } from './pipelines/assemble-pipelines.js';
import { OutputFiles } from './pipelines/output-files.js';
import { GrantService } from './prompts/grant-service.js';
import { HeldAnswers } from './prompts/held-answers.js';
import { PromptDeadlines } from './prompts/prompt-deadlines.js';
import { PromptService } from './prompts/prompt-service.js';
import { RuleBook } from './prompts/rule-book.js';
import { RuleService } from './prompts/rule-service.js';
import { SecretAnswers } from './prompts/secret-answers.js';
import { CommentService } from './review/comment-service.js';
import { assembleRuns } from './runs/assemble-runs.js';
import { Preflight } from './runs/preflight.js';
import { RunLaunch } from './runs/run-launch.js';
import { ScheduleService } from './schedules/schedule-service.js';
import { ScheduleTicks } from './schedules/schedule-ticks.js';
import { HandBack } from './terminals/hand-back.js';
import { SessionAdoption } from './terminals/session-adoption.js';
import { TerminalService } from './terminals/terminal-service.js';
import { TerminalWatch } from './terminals/terminal-watch.js';
import { AgentControl } from './threads/agent-control.js';
import { AgentInquiry } from './threads/agent-inquiry.js';
import { Snoozing } from './threads/snoozing.js';
import { ThreadActivity } from './threads/thread-activity.js';
import { ThreadChanges } from './threads/thread-changes.js';
import { ThreadMessages } from './threads/thread-messages.js';
import { ThreadReader } from './threads/thread-reader.js';
import { ThreadService } from './threads/thread-service.js';
import { CodeApprovals } from './trust/code-approvals.js';
import { ProjectCodeService } from './trust/project-code.js';
import { Skills } from './trust/skills.js';
import { assembleAbsentWorkers } from './workers/assemble-workers.js';
import { WorkerDirectory } from './workers/worker-directory.js';
import { WorkerWatch } from './workers/worker-watch.js';
import { assembleWorkspaces } from './workspaces/assemble-workspaces.js';
import { ChangeReader } from './workspaces/change-reader.js';

/** A host that works; closing it ends neither runners nor agents. */
export interface OpenedHost extends Host, AsyncDisposable {
  /**
   * Whether any dispatch, landing or pipeline has not ended, a schedule is active, somebody has a thread in a terminal, or an
   * observer tells of a session.
   */
  hasWork(): Promise<boolean>;
}

/** Opens a host: builds all of it, then takes up the runs that are under way, then the work. */
export async function openHost(environment: HostEnvironment): Promise<OpenedHost> {
  const { store, home, env, settings, clock, ids, runtimes, notify, log } = environment;
  const newUuid = () => ids.uuid();

  const { devices, notifications, sender } = assembleNotifications(environment);
  const changes = new ThreadChanges(store, clock, (thread, events) =>
    notifications.operationsFor(thread, events),
  );
  // Of no topic: it only says that somebody looks on.
  const lookOn = () => store.subscribe({ topics: [], shows: true });
  const feed = new LiveFeed(lookOn);
  const statuses = new StatusFeed(lookOn);
  const activity = new ThreadActivity();
  const projectCode = new ProjectCodeService(join(home, 'trusted-projects.json'), clock);
  const skills = new Skills(settings.skills ?? {}, projectCode);
  const places = assembleWorkspaces(environment, { changes, projectCode });
  const { worktrees, clones } = places;

  const secrets = new SecretAnswers();
  const rules = new RuleBook(store);
  const runs = assembleRuns(environment, { changes, secretAnswers: secrets, liveText: feed, skills, rules });
  const { runners, delivery, supervisor, interruption } = runs;
  const scratch = join(home, 'scratch');
  const outputs = new OutputFiles(join(home, 'pipelines'));
  const preflight = new Preflight(runtimes, clock);
  const launch = new RunLaunch({
    store,
    changes,
    supervisor,
    ...places,
    projectCode,
    skills,
    runtimes,
    preflight,
    settings,
    outputs,
    scratch,
    env,
  });
  const workers = new WorkerDirectory({
    store,
    clock,
    leases: { beat: async () => await parts.leases.beat() },
  });
  const parts = assembleDispatches(environment, {
    changes,
    secrets,
    runs,
    launch,
    skills,
    preflight,
    workers,
    clones,
  });
  const { admission, dispatcher, dispatches, escalations, idleAgents, leases } = parts;
  const prompts = new PromptService({ store, changes, delivery, secrets, runners, runtimes, clock });
  const heldAnswers = new HeldAnswers({ store, changes, prompts, clock, log });
  const deadlines = new PromptDeadlines({
    store,
    changes,
    delivery,
    secrets,
    dispatches,
    interruption,
    clock,
    log,
  });
  const messages = new ThreadMessages({ store, changes, delivery, dispatches, prompts, clock, newUuid });
  const agents = new AgentControl({
    changes,
    delivery,
    supervisor,
    runners,
    interruption,
    admission,
    dispatches,
    clock,
    newUuid,
  });
  const reader = new ThreadReader(store, activity);
  const threads = new ThreadService({
    store,
    changes,
    reader,
    messages,
    agents,
    admission,
    worktrees,
    changeReader: new ChangeReader({ scratch, env }),
    snoozing: new Snoozing({ changes, clock }),
  });
  const landings = new LandingService({
    store,
    changes,
    messages,
    agents,
    worktrees,
    hookApprovals: projectCode.hookApprovals,
    clock,
    newUuid,
    scratch,
    env,
    failpoint: environment.failpoint,
    log,
  });
  const pullRequests = new RequestWatches({
    store,
    changes,
    dispatches,
    clock,
    newPromptId: () => ids.prompt(),
    everyMs: settings.watchEveryMs,
    scratch,
    env,
    failpoint: environment.failpoint,
    log,
  });
  const { failpoint } = environment;
  const removal = new ThreadRemoval({ store, changes, agents, worktrees, env, clock, failpoint });
  const moves = new EventMoves({
    store,
    changes,
    threads,
    dispatches,
    folder: join(home, 'exports'),
    afterDays: settings.keep.keepEventsDays,
    clock,
    failpoint,
    log,
  });
  const pruning = new Pruning({ store, removal, moves, clones, clock });
  const imports = new ThreadImport({ store, home, clock, newThreadId: () => ids.thread() });
  const retention = new Retention({
    store,
    changes,
    pruning,
    moves,
    removal,
    worktrees,
    clones,
    keep: settings.keep,
    everyMs: settings.tidyEveryMs,
    clock,
    log,
  });
  const comments = new CommentService({
    store,
    changes,
    dispatches,
    delivery: runs.comments,
    clock,
    newUuid,
  });
  const schedules = new ScheduleService({
    store,
    admission,
    dispatches,
    clock,
    newScheduleId: () => ids.schedule(),
    newUuid,
  });
  const scheduleTicks = new ScheduleTicks({ store, dispatches, clock, newUuid, failpoint, log });
  const pipelines = assemblePipelines(environment, {
    changes,
    admission,
    dispatches,
    projectCode,
    outputs,
  });
  const handBack = new HandBack({ changes, runtimes, clock });
  const terminals = new TerminalService({
    store,
    changes,
    agents,
    supervisor,
    runtimes,
    projectCode,
    handBack,
    clock,
  });
  const terminalWatch = new TerminalWatch({ store, service: terminals, handBack, clock, log });
  const adoption = new SessionAdoption({ store, runtimes, admission, clock });
  const observed = new ObservedSessions({ store, runtimes, clock, log });
  const afterCommit = new AfterCommit({
    activity,
    feed,
    statuses,
    delivery,
    comments: runs.comments,
    supervisor,
    secrets,
    notifications: sender,
    clock,
    log,
  });

  const others = new ChangesOfOthers({ store, changes, delivery, feed, statuses, dispatcher, rules, log });

  const absent = assembleAbsentWorkers(environment, { changes, dispatcher, leases, sender, clones });

  // Everything is built; from here on it works.
  await leases.beat();
  const listening = changes.listen((change) => {
    afterCommit.follow(change);
    landings.follow(change);
  });
  sender.wake();
  await rules.refresh();
  await supervisor.open();
  await landings.open();
  await dispatcher.open();
  await escalations.open();
  others.open();
  await absent.open();
  if (settings.onRestart === 'cancel') await cancelOpen(prompts);
  deadlines.open();
  await heldAnswers.open();
  retention.open();
  pullRequests.open();
  terminalWatch.open();
  await observed.open();
  scheduleTicks.open();
  pipelines.engine.open();
  const answers = new ChatAnswers({ store, prompts, log });
  const chats = openChats(notify.channels, { answers, resolve: notify.resolve, log });

  const endAll = async (actor: Actor, work: readonly { readonly threadId: ThreadId }[] = []) => {
    const threadIds = new Set([...work, ...supervisor.runs].map(({ threadId }) => threadId));
    const why = { promptReason: 'worker_shutdown', actor };
    await Promise.all([...threadIds].map(async (id) => await agents.end(id, `stopped by ${actor}`, why)));
  };

  return {
    dispatches,
    threads,
    prompts,
    landings,
    pullRequests,
    cleanup: {
      archive: async (id, request, actor) => {
        await removal.archive(id, request, actor);
        return await reader.get(id);
      },
      remove: async (id, options) => await removal.remove(id, options),
      prune: async (request, actor) => await pruning.prune(request, actor),
      backUp: async (request) => await backUp(request, { store, home, clock }),
      import: async (request, actor) => await reader.get(await imports.import(request, actor)),
    },
    comments,
    schedules,
    pipelines: pipelines.service,
    grants: new GrantService({ store, changes }),
    rules: new RuleService({ store, book: rules, clock, newRuleId: () => ids.rule() }),
    push: devices,
    agents: new AgentInquiry({ changes, runners, runtimes, newUuid }),
    feed,
    statuses,
    observed,
    projectCode: new CodeApprovals({ projectCode, idleAgents }),
    terminals: {
      open: async (id, request, actor) => {
        const command = await terminals.open(id, request, actor);
        return { thread: await reader.get(id), command };
      },
      begin: async (id, program) => {
        await terminals.begin(id, program);
        return await reader.get(id);
      },
      close: async (id) => {
        await terminals.close(id);
        return await reader.get(id);
      },
      sessions: async (query) => await adoption.list(query),
      adopt: async (request, actor) => await reader.get(await adoption.adopt(request, actor)),
    },
    changes: () =>
      store.subscribe({ topics: ['thread', 'events', 'status', 'dispatch', 'prompt'], shows: true }),
    usage: async (by, part) =>
      await listPage(await store.query('usage', { by }), { ...part, keyOf: ({ key }) => key, show: whole }),
    workers: async (part) => await workers.list(part),
    watch: new WorkerWatch({ store, workers, leases, telemetry: environment.telemetry }),
    drainWorker: async (which, isDraining) => await workers.drain(which, isDraining),
    runtimes: async () => await runtimes.report(),
    stopAgents: async (actor) => {
      const leaving = await dispatcher.leaving();
      await endAll(actor, leaving.work);
      await leaving.letGo();
      // Whoever was just being started.
      await endAll(actor);
    },
    hasWork: async () => observed.hasReports || (await isWorkOpen(store)),
    [Symbol.asyncDispose]: async () => {
      await chats[Symbol.asyncDispose]();
      await absent[Symbol.asyncDispose]();
      await others[Symbol.asyncDispose]();
      await scheduleTicks[Symbol.asyncDispose]();
      await pipelines.engine[Symbol.asyncDispose]();
      await pullRequests[Symbol.asyncDispose]();
      await observed[Symbol.asyncDispose]();
      await terminalWatch[Symbol.asyncDispose]();
      await retention[Symbol.asyncDispose]();
      await heldAnswers[Symbol.asyncDispose]();
      await deadlines[Symbol.asyncDispose]();
      await landings[Symbol.asyncDispose]();
      await dispatcher[Symbol.asyncDispose]();
      await escalations[Symbol.asyncDispose]();
      await supervisor[Symbol.asyncDispose]();
      listening[Symbol.dispose]();
      await sender[Symbol.asyncDispose]();
    },
  };
}

/** The conservative way: whoever asked before this worker started hears that nobody answers. */
async function cancelOpen(prompts: PromptService): Promise<void> {
  for (;;) {
    const page = await prompts.list({ open: true });
    const rows = page.rows.filter((prompt) => !isHeldBack(prompt));
    if (rows.length === 0) return;
    for (const { id } of rows) await prompts.cancel(id, { reason: 'worker_restart' });
  }
}

function whole<Row>(row: Row): Row {
  return row;
}
