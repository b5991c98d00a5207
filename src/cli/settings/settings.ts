import * as z from 'zod';
import { BudgetRequest } from '../../protocol/budget.js';
import { ChannelConfigs } from '../../protocol/channel-config.js';
import {
  ContainerEngineName,
  ContainerVariable,
  ImageName,
  MemoryAmount,
  ReachableHost,
} from '../../protocol/container.js';
import { cutText } from '../../protocol/cut-text.js';
import { OnSuccess } from '../../protocol/dispatch.js';
import { HostName } from '../../protocol/host-name.js';
import { keysOf } from '../../protocol/keys.js';
import {
  AcpAgentName,
  AcpAgentSettings,
  ObservableIdleSeconds,
  PermissionMode,
  RuntimeName,
  RuntimePackage,
  SkillName,
  ToolPreset,
} from '../../protocol/posture.js';
import { longestHoldSeconds, UnansweredRules } from '../../protocol/prompt.js';
import { ProxyUsers } from '../../protocol/proxy-users.js';
import { defaultPortRange, PortRange, WorktreeDefaults } from '../../protocol/scripts-config.js';
import { databaseUrl } from '../../protocol/store-url.js';
import { PlainToolName } from '../../protocol/tool-name.js';
import { defaultToolOutputLimit, longestToolOutput } from '../../protocol/tool-output.js';
import { WorkerLabel, WorkerName } from '../../protocol/worker-name.js';
import { shownValue } from './shown-value.js';

const minutes = z.number().positive();

/** The runtimes that work today; the names of others are known, and refused until they do. */
export const workingRuntimes: readonly RuntimeName[] = ['claude', 'codex', 'opencode', 'amp', 'exec'];
const WorkingRuntime = RuntimeName.refine((name) => workingRuntimes.includes(name) || isNamed(name));

/** What holds for the work in one repository, where its user says so. */
const RepositorySettings = z.strictObject({
  runtime: WorkingRuntime.optional(),
  model: z.string().min(1).optional(),
  retries: z.int().nonnegative().optional(),
  timeoutSeconds: z.number().positive().optional(),
  permissions: z.enum(['approval', 'autonomous']).optional(),
  permissionMode: PermissionMode.optional(),
  toolPreset: ToolPreset.optional(),
  onSuccess: OnSuccess.optional(),
  container: z.boolean().optional(),
  containerImage: ImageName.optional(),
  ...WorktreeDefaults.shape,
});
const worktreeKeys: readonly string[] = keysOf(WorktreeDefaults.shape);

/** The settings of one repository that count like others, without what is only for its worktrees. */
export function settingsOfRepository(values: unknown): Record<string, unknown> {
  const parsed = RepositorySettings.safeParse(values);
  if (!parsed.success) return {};
  return Object.fromEntries(Object.entries(parsed.data).filter(([key]) => !worktreeKeys.includes(key)));
}

/** Everything that can be set once instead of on every command line. */
export const Settings = z.strictObject({
  port: z.int().min(0).max(65_535).default(7411).describe('port of the API and the web console'),
  store: z
    .string()
    .regex(databaseUrl)
    .optional()
    .describe(
      'where everything is kept that several workers share, such as postgres://handraise@db.example/handraise; a file in the home unless set (docs/postgres.md)',
    ),
  workerName: WorkerName.optional().describe(
    'what this worker is called where several share a database; unless set, a name that its home keeps',
  ),
  workerLabels: z
    .array(WorkerLabel)
    .max(50)
    .default([])
    .describe('labels of this worker, such as gpu; work asks for them with run --on'),
  sharedFolders: z
    .array(z.string().startsWith('/').max(4096))
    .max(100)
    .default([])
    .describe(
      'folders that are the same on all machines of a shared database; work in them is taken over when its worker is gone (docs/postgres.md)',
    ),
  runnerDeadlineSeconds: z
    .int()
    .min(30)
    .max(86_400)
    .default(120)
    .describe(
      'with a shared database: seconds that agents go on after their worker was last able to renew its lease (docs/postgres.md)',
    ),
  slots: z.int().positive().default(4).describe('how many agents may work at the same time'),
  retries: z.int().nonnegative().default(2).describe('how often failed work is tried again'),
  timeoutSeconds: z
    .number()
    .positive()
    .optional()
    .describe('time limit of a piece of work; time spent waiting for a person does not count'),
  idleTimeoutMinutes: minutes.default(15).describe('minutes after which an idle agent is stopped'),
  holdForMinutes: minutes.default(10).describe('minutes for which a waiting agent keeps its process'),
  undoSeconds: z
    .number()
    .min(0)
    .max(longestHoldSeconds)
    .default(5)
    .describe('seconds for which an answer that is given in the web console can be undone'),
  observable: z
    .boolean()
    .default(false)
    .describe('guess from its output what a command is doing (runtime exec; docs/status.md)'),
  observableIdleSeconds: ObservableIdleSeconds.default(30).describe(
    'seconds of silence after which a command with --observable counts as idle',
  ),
  toolOutputLimit: z
    .int()
    .min(0)
    .max(longestToolOutput)
    .default(defaultToolOutputLimit)
    .describe("how many characters of a tool's output are kept beside its event, which shows the first 500"),
  unanswered: UnansweredRules.default({}).describe('what happens to questions that nobody answers in time'),
  onRestart: z
    .enum(['keep', 'cancel'])
    .default('keep')
    .describe('whether open questions are kept or cancelled when the worker restarts'),
  runtime: WorkingRuntime.default('claude').describe('which agent does the work'),
  execCommand: z
    .string()
    .min(1)
    .optional()
    .describe(
      'command line of the runtime exec, such as my-agent {prompt}; if {prompt} is missing, the work is passed on stdin',
    ),
  dailyBudget: BudgetRequest.optional().describe(
    'what all work of a day (UTC) may spend, such as {"usd":20} or {"tokens":5000000}; then you are asked (docs/budgets.md)',
  ),
  skills: z
    .record(SkillName, z.string().min(1).max(4096))
    .default({})
    .describe(
      'skills of your own: command lines by name, such as {"audit":"/home/ada/bin/audit"} (docs/skills.md)',
    ),
  acpAgents: z
    .record(AcpAgentName, AcpAgentSettings)
    .default({})
    .describe(
      'agents that speak ACP, by the name behind acp:, such as {"mine":{"command":"my-agent --acp","loadsProjectCode":true}} (docs/runtimes.md)',
    ),
  runtimes: z
    .record(AcpAgentName, RuntimePackage)
    .default({})
    .describe(
      'adapters in npm packages of their own, by the name behind npm:, such as {"mine":"my-handraise-runtime"} (docs/writing-an-adapter.md)',
    ),
  claudeUserSettings: z
    .boolean()
    .default(false)
    .describe(
      'whether Claude Code also reads your own settings (~/.claude/settings.json): their hooks run, and what their rules allow is not asked (docs/runtimes.md)',
    ),
  elicitingTools: z
    .array(PlainToolName)
    .max(200)
    .default([])
    .describe(
      'tools of MCP servers that ask a person while they run, such as ["mcp__deploy__release"]: Claude Code asks before each call, and that can wait (docs/prompts.md)',
    ),
  model: z.string().min(1).optional().describe('model, as the runtime names it'),
  permissions: z
    .enum(['approval', 'autonomous'])
    .optional()
    .describe(
      'whether a person approves sensitive actions (approval, the default) or nobody does (autonomous)',
    ),
  permissionMode: PermissionMode.optional().describe("the runtime's own permission mode"),
  toolPreset: ToolPreset.optional().describe('which tools agents have'),
  onSuccess: OnSuccess.default('keep').describe(
    'what becomes of work in a worktree that succeeded: keep it, merge it, push its branch (push), or open a pull request (pr)',
  ),
  container: z.boolean().default(false).describe('whether agents work in a container (docs/containers.md)'),
  containerImage: ImageName.optional().describe(
    'the image of that container; unless set, the one that handraise container build makes for the runtime',
  ),
  containerEngine: ContainerEngineName.default('docker').describe('what runs containers: docker or podman'),
  containerMemory: MemoryAmount.default('4g').describe('how much memory a container may have'),
  containerCpus: z
    .number()
    .positive()
    .max(1024)
    .optional()
    .describe('how many processors a container may use'),
  containerHosts: z
    .array(ReachableHost)
    .max(200)
    .default([])
    .describe("hosts that an agent in a container may reach beside its model's, such as registry.npmjs.org"),
  containerEnv: z
    .array(ContainerVariable)
    .max(200)
    .default([])
    .describe('variables that an agent in a container gets beside those of its runtime'),
  repositories: z
    .record(
      z
        .string()
        .max(4096)
        .regex(/^\/|^[a-z][a-z0-9+.-]*:\/\/|^[^/:]+:/i, 'must be a folder or the address of a repository'),
      RepositorySettings,
    )
    .default({})
    .describe(
      'settings for the work in one repository, by the folder of its checkout or the address that work is given with, and how its worktrees are set up (docs/worktrees.md)',
    ),
  repositoryProtocols: z
    .array(z.enum(['https', 'ssh', 'http', 'git', 'file']))
    .min(1)
    .default(['https', 'ssh'])
    .describe('how repositories may be fetched that work is given with (docs/repositories.md)'),
  repositoryMegabytes: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_240)
    .describe('how many MiB such a repository may have, fetched and checked out'),
  worktreePorts: PortRange.default(defaultPortRange).describe('the ports that worktrees get theirs from'),
  watchSeconds: z
    .number()
    .min(10)
    .max(86_400)
    .default(60)
    .describe('seconds between two looks at a pull request that is watched (docs/review.md)'),
  publicUrl: z.url().optional().describe('address of the web console in links, when it is behind a proxy'),
  allowedHosts: z.array(HostName).default([]).describe('more host names that the API answers to'),
  proxyUsers: ProxyUsers.optional().describe(
    'a proxy that signs people in: the header that names them, and the addresses from which it is believed (docs/team.md)',
  ),
  notify: ChannelConfigs.default([]).describe(
    'where to send notifications when an agent asks and when work ends (docs/operations.md)',
  ),
  keepNotificationsDays: z
    .number()
    .min(0)
    .default(7)
    .describe('days after which the worker forgets notifications that were sent'),
  keepWorktreesDays: z
    .number()
    .min(0)
    .default(14)
    .describe('days without work after which the worker removes the worktree of work that was merged'),
  keepEventsDays: z
    .number()
    .min(0)
    .optional()
    .describe(
      'days in the archive after which the worker moves the events of a thread into a compressed file (docs/operations.md)',
    ),
  keepSpare: z.boolean().default(true).describe('keep one runner ready, so that work starts at once'),
  telemetryEndpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'where OpenTelemetry traces are sent, such as http://127.0.0.1:4318; unless set, what OTEL_EXPORTER_OTLP_ENDPOINT says (docs/telemetry.md)',
    ),
  telemetryTexts: z
    .boolean()
    .default(false)
    .describe('send what people, agents and tools said with the traces (docs/telemetry.md)'),
});
export type Settings = z.infer<typeof Settings>;
export type SettingKey = keyof Settings;

export const settingKeys: readonly SettingKey[] = keysOf(Settings.shape);

export function isSettingKey(text: string): text is SettingKey {
  return Object.hasOwn(Settings.shape, text);
}

/** The environment variable of a setting: `idleTimeoutMinutes` is `HANDRAISE_IDLE_TIMEOUT_MINUTES`. */
export function variableOf(key: SettingKey): string {
  return `HANDRAISE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** A value as typed: a number, a word, or a list with commas. Undefined when the setting cannot have it. */
export function parseSetting(key: SettingKey, text: string): unknown {
  const schema: z.ZodType = Settings.shape[key];
  return [fromJson(text), text, text.split(',')].find(
    (value) => value !== undefined && schema.safeParse(value).success,
  );
}

/** Why a setting cannot have a value, as a sentence. */
export function refusalOf(key: SettingKey, value: unknown): string {
  const [issue] =
    Settings.shape[key].safeParse(typeof value === 'string' ? (fromJson(value) ?? value) : value).error
      ?.issues ?? [];
  // What is wrong inside of a list or a table is said where it is.
  const where =
    issue && issue.path.length > 0
      ? ` In ${[key, ...issue.path].join('.')}: ${issue.message.replace(/\.$/, '')}.`
      : '';
  return `${key} must be ${mustBe[key]}, not ${cutText(JSON.stringify(shownValue(key, value)) ?? 'nothing', 200)}.${where}`;
}

/** What each setting must be, as it follows "must be". */
const mustBe: Readonly<Record<SettingKey, string>> = {
  port: 'a whole number from 0 to 65535',
  store: 'the URL of a PostgreSQL database, such as postgres://handraise@db.example/handraise',
  workerName: 'letters, digits, dots, dashes and underscores, such as build-1',
  workerLabels: 'a list of labels, such as gpu,large',
  sharedFolders: 'a list of folders, such as /srv/work',
  runnerDeadlineSeconds: 'a whole number of seconds from 30 to 86400',
  slots: 'a whole number, 1 or more',
  retries: 'a whole number, 0 or more',
  timeoutSeconds: 'a number of seconds greater than 0',
  idleTimeoutMinutes: 'a number of minutes greater than 0',
  holdForMinutes: 'a number of minutes greater than 0',
  undoSeconds: `a number of seconds from 0 to ${longestHoldSeconds}`,
  observable: 'true or false',
  observableIdleSeconds: 'a number of seconds from 1 to 86400',
  toolOutputLimit: `a whole number from 0 to ${longestToolOutput}`,
  unanswered: 'rules by kind, such as {"approval":{"policy":"deny","afterSeconds":3600}}',
  onRestart: '"keep" or "cancel"',
  runtime: 'claude, codex, opencode, amp, exec, acp:NAME or npm:NAME',
  execCommand: 'a command line',
  dailyBudget: 'an amount greater than 0, such as {"usd":20} or {"tokens":5000000}',
  skills: 'command lines by name, such as {"audit":"/home/ada/bin/audit"}',
  acpAgents: 'agents by name, such as {"mine":{"command":"my-agent --acp","loadsProjectCode":true}}',
  runtimes: 'packages by name, such as {"mine":"my-handraise-runtime"}',
  claudeUserSettings: 'true or false',
  elicitingTools: 'a list of tools, such as ["mcp__deploy__release"]',
  model: 'the name of a model',
  permissions: '"approval" or "autonomous"',
  permissionMode: `one of ${PermissionMode.options.join(', ')}`,
  toolPreset: `one of ${ToolPreset.options.join(', ')}`,
  onSuccess: '"keep", "merge" or "pr"',
  container: 'true or false',
  containerImage: 'the name of an image, such as handraise-claude',
  containerEngine: '"docker" or "podman"',
  containerMemory: 'an amount of memory, such as 512m or 4g',
  containerCpus: 'a number of processors greater than 0',
  containerHosts: 'a list of hosts, such as registry.npmjs.org or *.example.com:8443',
  containerEnv: 'a list of names of variables, such as NPM_TOKEN',
  repositories:
    'settings by folder, such as {"/home/ada/shop":{"model":"opus","setup":"npm ci","copyFiles":[".env"],"ports":10}}',
  repositoryProtocols: 'a list of https, ssh, http, git and file',
  repositoryMegabytes: 'a whole number of MiB from 1 to 1000000',
  worktreePorts: 'two ports from 1024 to 65535, such as {"from":20000,"to":29999}',
  watchSeconds: 'a number of seconds from 10 to 86400',
  publicUrl: 'a URL, such as https://handraise.example.com',
  allowedHosts: 'a list of host names, such as box.example or box.example:8080',
  proxyUsers: 'a header and addresses, such as {"header":"x-forwarded-email","from":["10.0.0.5"]}',
  notify: 'a list of channels (docs/operations.md)',
  keepNotificationsDays: 'a number of days, 0 or more',
  keepWorktreesDays: 'a number of days, 0 or more',
  keepEventsDays: 'a number of days, 0 or more',
  keepSpare: 'true or false',
  telemetryEndpoint: 'a URL, such as http://127.0.0.1:4318',
  telemetryTexts: 'true or false',
};

const projectKeys = new Set<SettingKey>(['runtime', 'model', 'retries', 'timeoutSeconds']);

/**
 * Whether a project's own file may set this. A repository is somebody else's text: it sets nothing that is executed
 * (a runtime may be a command), no address, no permission, and nothing of the machine's worker.
 */
export function isForProjects(key: SettingKey, value: unknown): boolean {
  return projectKeys.has(key) && (key !== 'runtime' || (value !== 'exec' && isWorking(value)));
}

/** Which of them there are shows where the work is taken: the worker has the settings that count. */
function isNamed(name: RuntimeName): boolean {
  return /^(acp|npm):/.test(name) && AcpAgentName.safeParse(name.slice('acp:'.length)).success;
}

function isWorking(value: unknown): boolean {
  return workingRuntimes.some((name) => name === value);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
