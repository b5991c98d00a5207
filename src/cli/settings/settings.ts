import * as z from 'zod';
import { keysOf } from '../../protocol/keys.js';
import { PermissionMode, RuntimeName, ToolPreset } from '../../protocol/posture.js';
import { UnansweredRules } from '../../protocol/prompt.js';

const minutes = z.number().positive();

/** Everything that can be set once instead of on every command line. */
export const Settings = z.strictObject({
  port: z.int().min(0).max(65_535).default(7411).describe('port of the API and the web console'),
  slots: z.int().positive().default(4).describe('agents that work at the same time'),
  retries: z.int().nonnegative().default(2).describe('further tries of work that failed'),
  timeoutSeconds: z
    .number()
    .positive()
    .optional()
    .describe('time limit of work; waiting for a person does not count'),
  idleTimeoutMinutes: minutes.default(15).describe('an agent that was idle for so long is stopped'),
  holdForMinutes: minutes.default(10).describe('an agent that asks keeps its process for so long'),
  unanswered: UnansweredRules.default({}).describe('what happens to prompts that nobody answers in time'),
  onRestart: z
    .enum(['keep', 'cancel'])
    .default('keep')
    .describe('what a restart of the worker does to open prompts'),
  runtime: RuntimeName.default('claude').describe('which agent does the work'),
  execCommand: z
    .string()
    .min(1)
    .optional()
    .describe('what the runtime exec starts, such as my-agent {prompt}; the prompt is on stdin without one'),
  model: z.string().min(1).optional().describe("the model, in the runtime's own words"),
  permissions: z
    .enum(['approval', 'autonomous'])
    .optional()
    .describe('whether a person approves sensitive actions; approval unless set'),
  permissionMode: PermissionMode.optional().describe("the runtime's own permission mode"),
  toolPreset: ToolPreset.optional().describe('which tools an agent has'),
  publicUrl: z.url().optional().describe('address of the console in links, where a proxy is in front'),
  allowedHosts: z.array(z.string().min(1)).default([]).describe('further host names the API answers to'),
  notify: z
    .array(z.record(z.string(), z.unknown()))
    .default([])
    .describe('who is told when an agent asks and when work has ended (docs/operations.md)'),
  keepSpare: z.boolean().default(true).describe('keep one runner warm, so that work starts at once'),
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
  const issue = z.strictObject({ [key]: Settings.shape[key] }).safeParse({ [key]: value }).error?.issues[0];
  return `${key} cannot be ${JSON.stringify(value)}: ${issue?.message ?? 'the value is not understood'}`;
}

const projectKeys = new Set<SettingKey>(['runtime', 'model', 'retries', 'timeoutSeconds']);
const shippedRuntimes = new Set<unknown>(['claude', 'codex', 'opencode', 'amp']);

/**
 * Whether a project's own file may set this. A repository is somebody else's text: it sets nothing that is executed
 * (a runtime may be a command), no address, no permission, and nothing of the machine's worker.
 */
export function isForProjects(key: SettingKey, value: unknown): boolean {
  return projectKeys.has(key) && (key !== 'runtime' || shippedRuntimes.has(value));
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
