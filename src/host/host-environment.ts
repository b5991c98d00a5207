import type { AbsenceTimes } from '../domain/worker/absence.js';
import type { RepositoryProtocol } from '../domain/worktree/repository-address.js';
import type { Budget } from '../protocol/budget.js';
import type { ChannelConfig } from '../protocol/channel-config.js';
import type { Posture, RuntimeName } from '../protocol/posture.js';
import type { UnansweredRules } from '../protocol/prompt.js';
import type { PortRange, WorktreeDefaults } from '../protocol/scripts-config.js';
import type { Store } from '../store/store.js';
import type { Clock } from './clock.js';
import type { Ids } from './ids.js';
import type { NotificationMeans } from './notify/channel-delivery.js';
import type { Failpoint } from './runs/failpoint.js';
import type { RuntimeCatalog } from './runtime-catalog.js';
import type { TelemetryCounts } from './telemetry/span-export.js';

/** For how many days a worker keeps what it can do without. */
export interface KeepSettings {
  readonly keepNotificationsDays?: number;
  /** Worktrees of work that was merged. */
  readonly keepWorktreesDays?: number;
  /** Events of archived threads, in the store; for ever unless set. */
  readonly keepEventsDays?: number | undefined;
}

/** What agents of a runtime are launched with where their work does not say. */
export type UsualPosture = (runtime: RuntimeName) => Posture;

/** What a worker does when nobody says otherwise. */
export interface WorkerSettings {
  /** Dispatches that run at the same time; one that waits for a person does not count. */
  readonly slots: number;
  /** Agents that live at the same time, idle and asking ones included. */
  readonly maxAgents: number;
  /** How many more tries work gets that does not say. */
  readonly retries: number;
  readonly idleTimeoutMs: number;
  /** How long an agent that asks keeps its process. */
  readonly holdForMs: number;
  readonly usualPosture: UsualPosture;
  /** Tools whose MCP server asks a person while they run, as the user says. */
  readonly elicitingTools?: readonly string[] | undefined;
  /** How many characters of a tool's output are kept beside its event. */
  readonly toolOutputLimit: number;
  /** What happens to prompts that nobody answers, where the work does not say. */
  readonly unanswered: UnansweredRules;
  /** What a restart of the worker does to open prompts. */
  readonly onRestart: 'keep' | 'cancel';
  readonly keep: KeepSettings;
  /** How worktrees of a repository are set up, by the folder of its checkout. */
  readonly repositories: Readonly<Record<string, WorktreeDefaults>>;
  readonly worktreePorts: PortRange;
  /** How repositories may be fetched that work is given with, and how large they may be. */
  readonly fetching: { readonly protocols: readonly RepositoryProtocol[]; readonly limitBytes: number };
  /** What all work of a day may spend. */
  readonly dailyBudget?: Budget | undefined;
  /** The user's own skills: command lines by name. */
  readonly skills?: Readonly<Record<string, string>>;
  /** How long after a look at the pull requests that are watched comes the next. */
  readonly watchEveryMs: number;
  /** How often the worker tidies up. */
  readonly tidyEveryMs: number;
  /** How long it takes until another worker may go on with what this one had; where the store is shared. */
  readonly absence: AbsenceTimes;
  readonly labels: readonly string[];
  /** Folders that are the same on all machines whose workers say so. */
  readonly sharedFolders: readonly string[];
  /** The runtime to keep a warm runner for, if any. */
  readonly keepSpare: RuntimeName | undefined;
}

/** What a host works with. */
export interface HostEnvironment {
  readonly store: Store;
  /** Folder of this worker's sockets, spools, launch files and worktrees. */
  readonly home: string;
  /** What agents, checks and git inherit. */
  readonly env: Readonly<Record<string, string>>;
  /** How a runner is started: the program and what comes before its arguments. */
  readonly runner: { readonly file: string; readonly args: readonly string[] };
  readonly settings: WorkerSettings;
  readonly clock: Clock;
  /** Milliseconds since the machine started, sleep included: the same in every process of the machine. */
  readonly uptime: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly ids: Ids;
  readonly runtimes: RuntimeCatalog;
  readonly notify: NotificationMeans & {
    readonly channels: readonly ChannelConfig[];
    /** Where the console is found from wherever a notification is read. */
    readonly publicUrl: string;
    /** Whether a token is good still, by its digest; what was asked for with another one ends. */
    readonly isTokenHeld: (digest: string) => boolean;
  };
  readonly log: (line: string) => void;
  /** How many spans of traces were sent; missing where none are. */
  readonly telemetry?: { readonly counts: TelemetryCounts } | undefined;
  readonly failpoint: (name: Failpoint) => void;
}
