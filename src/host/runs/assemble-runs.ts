import { given } from '../../protocol/given.js';
import type { HostEnvironment } from '../host-environment.js';
import { isReallyInside } from '../prompts/really-inside.js';
import type { RuleBook } from '../prompts/rule-book.js';
import type { SecretAnswers } from '../prompts/secret-answers.js';
import { SessionComparison } from '../recovery/session-comparison.js';
import { RunSettlement } from '../recovery/settle-run.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import { sha256 } from '../sha256.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { Skills } from '../trust/skills.js';
import { WorkerDeadline } from '../workers/worker-deadline.js';
import { AttachedRunners } from './attached-runners.js';
import { CommandDelivery } from './command-delivery.js';
import { CommentDelivery } from './comment-delivery.js';
import { EventRecorder } from './event-recorder.js';
import { Interruption } from './interruption.js';
import { RunFolders } from './run-folder.js';
import type { TransientLines } from './run-follower.js';
import { RunSecrets } from './run-secrets.js';
import { RunSupervisor } from './run-supervisor.js';
import { RunnerProcesses } from './runner-processes.js';

/** What starts, follows, steers and settles runs. */
export interface Runs {
  readonly runners: AttachedRunners;
  readonly delivery: CommandDelivery;
  readonly comments: CommentDelivery;
  readonly supervisor: RunSupervisor;
  readonly interruption: Interruption;
  readonly deadline: WorkerDeadline;
}

/** Builds all that has to do with runs; nothing happens before the supervisor is opened. */
export function assembleRuns(
  environment: Omit<HostEnvironment, 'notify' | 'random' | 'runtimes'> & {
    readonly runtimes: Pick<RuntimeCatalog, 'savedSession' | 'sweepContainers'>;
  },
  parts: {
    readonly changes: ThreadChanges;
    readonly secretAnswers: SecretAnswers;
    readonly liveText: TransientLines;
    readonly skills?: Skills;
    readonly rules?: RuleBook;
  },
): Runs {
  const { changes, secretAnswers, liveText, skills, rules } = parts;
  const { store, home, env, runner, settings, clock, uptime, ids, runtimes, log, failpoint } = environment;
  const { epoch } = store.worker;
  const { keepSpare, unanswered, idleTimeoutMs, toolOutputLimit, absence } = settings;
  const runners = new AttachedRunners();
  // Where nobody else can take work over, agents outlive their worker.
  const limitMs = store.isShared ? absence.deadlineMs : null;
  const deadline = new WorkerDeadline({ limitMs, uptime, runners });
  const folders = new RunFolders(home);
  const secrets = new RunSecrets(home);
  const delivery = new CommandDelivery({
    store,
    changes,
    runners,
    secrets: secretAnswers,
    ...given({ skills }),
  });
  const comments = new CommentDelivery({ store, runners });
  const promptRules = { newId: () => ids.prompt(), sha256, unanswered, isReallyInside };
  const recorder = new EventRecorder({
    changes,
    delivery,
    promptRules,
    ...given({ rules }),
    toolOutputLimit,
    log,
  });
  const comparison = new SessionComparison({ store, changes, savedSession: runtimes.savedSession });
  const settlement = new RunSettlement({
    changes,
    recorder,
    comparison,
    folders,
    runtimes,
    clock,
    failpoint,
  });
  const supervisor = new RunSupervisor({
    store,
    processes: new RunnerProcesses({
      home,
      folders,
      secrets,
      idleLimitMs: idleTimeoutMs,
      runner,
      env,
      epoch,
      deadline,
      keepSpare,
      log,
    }),
    newRunId: () => ids.run(),
    following: {
      changes,
      recorder,
      delivery,
      comments,
      runners,
      settlement,
      folders,
      secrets,
      liveText,
      deadline,
      clock,
      epoch,
      log,
      failpoint,
    },
  });
  const interruption = new Interruption({ changes, supervisor, runners, clock, log });
  return { runners, delivery, comments, supervisor, interruption, deadline };
}
