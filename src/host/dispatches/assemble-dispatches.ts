import { Failure } from '../../protocol/failure.js';
import type { HostEnvironment } from '../host-environment.js';
import type { SecretAnswers } from '../prompts/secret-answers.js';
import type { Runs } from '../runs/assemble-runs.js';
import { IdleAgents } from '../runs/idle-agents.js';
import { Parking } from '../runs/parking.js';
import type { Preflight } from '../runs/preflight.js';
import type { RunLaunch } from '../runs/run-launch.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { Skills } from '../trust/skills.js';
import type { WorkerDirectory } from '../workers/worker-directory.js';
import type { RepositoryClones } from '../workspaces/repository-clones.js';
import { Admission } from './admission.js';
import { BudgetKeeper } from './budget-keeper.js';
import { DirectStart } from './direct-start.js';
import { DispatchExecutions } from './dispatch-executions.js';
import { DispatchService } from './dispatch-service.js';
import { Dispatcher } from './dispatcher.js';
import { Escalations } from './escalations.js';
import { LeaseRenewal } from './lease-renewal.js';
import { ParentSearch } from './parent-search.js';
import { WorkspaceContention } from './workspace-contention.js';

/** What takes work in and brings it to its outcome. */
export interface DispatchParts {
  readonly admission: Admission;
  readonly dispatcher: Dispatcher;
  readonly dispatches: DispatchService;
  readonly idleAgents: IdleAgents;
  readonly leases: LeaseRenewal;
  readonly escalations: Escalations;
}

/** Builds all that has to do with dispatches; no work is taken before the dispatcher is opened. */
export function assembleDispatches(
  environment: HostEnvironment,
  parts: {
    readonly changes: ThreadChanges;
    readonly secrets: SecretAnswers;
    readonly runs: Runs;
    readonly launch: RunLaunch;
    readonly skills: Skills;
    readonly preflight: Preflight;
    readonly workers: Pick<WorkerDirectory, 'choose' | 'chooseAny'>;
    readonly clones: RepositoryClones;
  },
): DispatchParts {
  const { store, env, settings, clock, random, ids, runtimes, log } = environment;
  const { changes, secrets, runs, launch, skills, preflight, workers, clones } = parts;
  const { runners, delivery, supervisor, interruption, deadline } = runs;
  const { holdForMs, retries } = settings;
  const executions = new DispatchExecutions();
  const idleAgents = new IdleAgents({ changes, supervisor, executions, clock });
  const parking = new Parking({ changes, supervisor, runners, secrets, runtimes, clock, holdForMs });
  const { absence, sharedFolders, slots } = settings;
  const leases = new LeaseRenewal({
    store,
    executions,
    clock,
    deadline,
    absence,
    profile: {
      labels: [...settings.labels],
      slots,
      sharedFolders: [...sharedFolders],
      ...(store.isShared && { runtimes: installedOf(runtimes) }),
    },
  });
  const dispatcher = new Dispatcher({
    store,
    executions,
    execution: {
      store,
      changes,
      clock,
      random,
      retries,
      newPromptId: () => ids.prompt(),
      supervisor,
      delivery,
      launch,
      interruption,
      secrets,
      budgets: new BudgetKeeper({ store, clock, dailyBudget: settings.dailyBudget }),
      env,
      log,
    },
    leases,
    deadline,
    contention: new WorkspaceContention({ store, changes, supervisor, idleAgents, parking }),
    idleAgents,
    parking,
    settings,
  });
  const admission = new Admission({
    changes,
    runtimes,
    clock,
    newThreadId: () => ids.thread(),
    skills,
    preflight,
    workers,
    clones,
    ownId: store.worker.id,
  });
  const dispatches = new DispatchService({
    store,
    changes,
    interruption,
    admission,
    dispatcher,
    direct: new DirectStart({
      changes,
      delivery,
      dispatcher,
      clock,
      hasDailyBudget: settings.dailyBudget !== undefined,
    }),
    clock,
    newDispatchId: () => ids.dispatch(),
    parents: new ParentSearch(store, changes),
  });
  const escalations = new Escalations({ store, changes, dispatches, clock, log });
  return { admission, dispatcher, dispatches, escalations, idleAgents, leases };
}

/** The agents that work which can be done anywhere may ask for. */
function installedOf(runtimes: Pick<RuntimeCatalog, 'expectInstalled'>): string[] {
  return (['claude', 'codex', 'opencode', 'amp', 'exec'] as const).filter((name) => {
    try {
      runtimes.expectInstalled(name, name === 'exec' ? { command: 'true' } : {});
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  });
}
