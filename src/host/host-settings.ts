import type { AbsenceTimes } from '../domain/worker/absence.js';
import type { RepositoryProtocol } from '../domain/worktree/repository-address.js';
import type { Budget } from '../protocol/budget.js';
import type { AcpAgentSettings, SettingSource } from '../protocol/posture.js';
import type { UnansweredRules } from '../protocol/prompt.js';
import type { PortRange, WorktreeDefaults } from '../protocol/scripts-config.js';
import type { KeepSettings, UsualPosture } from './host-environment.js';

/** What a worker does when nobody says otherwise, in the words of the settings. */
export interface HostSettings extends KeepSettings {
  /** The URL of the database that several workers share; a file in the home unless set. */
  readonly store?: string | undefined;
  /** What this worker is called; unless set, a name that its home keeps. */
  readonly workerName?: string | undefined;
  /** What it says it is good for. */
  readonly workerLabels?: readonly string[];
  readonly slots: number;
  readonly retries: number;
  readonly idleTimeoutMinutes: number;
  readonly holdForMinutes?: number;
  readonly toolOutputLimit?: number;
  readonly unanswered?: UnansweredRules;
  /** What a restart of the worker does to open prompts. */
  readonly onRestart?: 'keep' | 'cancel';
  /** Who is told when an agent asks, and when work has ended. */
  readonly notify?: readonly unknown[];
  /** Where the console is found from elsewhere; its own address unless set. */
  readonly publicUrl?: string | undefined;
  readonly keepSpare: boolean;
  /** Where traces are sent, and whether what was said is sent with them. */
  readonly telemetryEndpoint?: string | undefined;
  readonly telemetryTexts?: boolean;
  /** Whether it is guessed what commands do, and after how much silence they count as idle. */
  readonly observable?: boolean;
  readonly observableIdleSeconds?: number;
  /** Whether Claude Code reads the user's own settings. */
  readonly claudeUserSettings?: boolean;
  /** Tools whose MCP server asks a person while they run. */
  readonly elicitingTools?: readonly string[];
  readonly acpAgents?: Readonly<Record<string, AcpAgentSettings>>;
  /** Adapters in packages of their own, by the name behind `npm:`. */
  readonly runtimes?: Readonly<Record<string, string>>;
  /** How worktrees of a repository are set up, by the folder of its checkout. */
  readonly repositories?: Readonly<Record<string, WorktreeDefaults>>;
  readonly worktreePorts?: PortRange;
  /** How repositories may be fetched that work is given with, and how large they may be. */
  readonly repositoryProtocols?: readonly RepositoryProtocol[];
  readonly repositoryMegabytes?: number;
  /** What all work of a day may spend. */
  readonly dailyBudget?: Budget | undefined;
  /** The user's own skills: command lines by name. */
  readonly skills?: Readonly<Record<string, string>>;
  readonly watchSeconds?: number;
  /** With a shared store: how long after the last renewal of the worker's lease its agents may go on. */
  readonly runnerDeadlineSeconds?: number;
  /** How long a lease lasts, and what is added for clocks; 30 each unless set. */
  readonly leaseSeconds?: number;
  readonly marginSeconds?: number;
  /** Folders that are the same on all machines whose workers say so. */
  readonly sharedFolders?: readonly string[];
  /** How often the worker tidies up; once an hour unless set. */
  readonly tidySeconds?: number;
}

/** Whose settings agents read, where their work does not say. */
export function settingSourcesOf({
  claudeUserSettings,
}: Pick<HostSettings, 'claudeUserSettings'>): SettingSource[] {
  return claudeUserSettings ? ['user', 'project'] : ['project'];
}

/** What agents are launched with where their work does not say. */
export function usualPostureOf(settings: HostSettings): UsualPosture {
  const { observable, observableIdleSeconds = 30 } = settings;
  return (runtime) => ({
    settingSources: settingSourcesOf(settings),
    ...(observable && runtime === 'exec' && { observableIdleSeconds }),
  });
}

/** How long it takes until another worker may go on with what this one had. */
function absenceTimesOf({
  leaseSeconds = 30,
  runnerDeadlineSeconds = 120,
  marginSeconds = 30,
}: Pick<HostSettings, 'leaseSeconds' | 'runnerDeadlineSeconds' | 'marginSeconds'>): AbsenceTimes {
  return {
    leaseMs: leaseSeconds * 1000,
    deadlineMs: runnerDeadlineSeconds * 1000,
    marginMs: marginSeconds * 1000,
  };
}

/** How repositories are fetched that work is given with. */
function fetchingOf({ repositoryProtocols, repositoryMegabytes = 10_240 }: HostSettings) {
  return {
    protocols: repositoryProtocols ?? (['https', 'ssh'] as const),
    limitBytes: repositoryMegabytes * 2 ** 20,
  };
}

/** When another worker takes over, and how repositories are fetched. */
export function sharingOf(settings: HostSettings) {
  return { absence: absenceTimesOf(settings), fetching: fetchingOf(settings) };
}
