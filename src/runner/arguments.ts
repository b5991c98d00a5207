import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type * as z from 'zod';
import { Failure } from '../protocol/failure.js';
import {
  McpServerFile,
  PermissionMode,
  RuntimeName,
  SettingSource,
  ToolPreset,
} from '../protocol/posture.js';
import type { Launch, Limits } from '../runtimes/runtime.js';

const options = {
  cwd: { type: 'string' },
  'conversation-id': { type: 'string' },
  resume: { type: 'string' },
  fork: { type: 'boolean' },
  'linear-issue': { type: 'string' },
  'target-branch': { type: 'string' },
  'tool-preset': { type: 'string' },
  'enable-checkpointing': { type: 'boolean' },
  'structured-output': { type: 'string' },
  'max-budget-usd': { type: 'string' },
  'max-turns': { type: 'string' },
  'max-thinking-tokens': { type: 'string' },
  'permission-mode': { type: 'string' },
  'setting-sources': { type: 'string' },
  betas: { type: 'string' },
  model: { type: 'string' },
  'fallback-model': { type: 'string' },
  'instructions-file': { type: 'string' },
  'mcp-servers-file': { type: 'string' },
  'sdk-debug': { type: 'boolean' },
  'sdk-debug-file': { type: 'string' },
  runtime: { type: 'string' },
  command: { type: 'string' },
  'no-project-code': { type: 'boolean' },
  socket: { type: 'string' },
  spool: { type: 'string' },
  spare: { type: 'boolean' },
  'orphan-limit': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parse>;

/** Where the arguments are read: the defaults that a process has around it. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stateDir: string;
}

export type Invocation =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'spare'; readonly runtime: RuntimeName; readonly socket: string }
  | {
      readonly kind: 'run';
      readonly runtime: RuntimeName;
      readonly launch: Launch;
      readonly detached: Detached | null;
    };

/** Where a detached runner is reached and where it journals. */
export interface Detached {
  readonly socket: string;
  readonly spool: string;
  /** After this time with no worker attached, the runner shuts down. */
  readonly orphanLimitMs: number;
}

/** Reads the command line, with every named file; a Failure says which argument is wrong and why. */
export function readArguments(argv: readonly string[], around: Surroundings): Invocation {
  const values = parse(argv);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const runtime = choice(values.runtime, 'runtime', RuntimeName) ?? 'claude';
  if (values.spare) {
    if (!values.socket)
      throw new Failure('usage', '--spare needs --socket: that is where its run comes from.');
    return { kind: 'spare', runtime, socket: resolve(around.cwd, values.socket) };
  }
  return {
    kind: 'run',
    runtime,
    launch: launchOf(values, around),
    detached: detachedOf(values, around.cwd),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new Failure('usage', error instanceof Error ? firstSentence(error.message) : String(error));
  }
}

function launchOf(values: Values, around: Surroundings): Launch {
  const cwd = resolve(around.cwd, values.cwd ?? '.');
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure('missing_file', `--cwd: ${cwd} is not a folder that exists.`);
  }
  const structuredOutput = jsonObject(values['structured-output'], 'structured-output');
  const instructions = text(values['instructions-file'], 'instructions-file', around.cwd);
  return {
    cwd,
    conversationId: values['conversation-id'] ?? 'default',
    fork: values.fork ?? false,
    permissionMode:
      choice(values['permission-mode'], 'permission-mode', PermissionMode) ?? 'bypassPermissions',
    toolPreset: choice(values['tool-preset'], 'tool-preset', ToolPreset) ?? 'full',
    limits: limitsOf(values),
    checkpointing: values['enable-checkpointing'] ?? false,
    settingSources: list(values['setting-sources'])?.map((source) =>
      required(source, 'setting-sources', SettingSource),
    ) ?? ['project', 'user', 'local'],
    projectCode: !(values['no-project-code'] ?? false),
    mcpServers: servers(text(values['mcp-servers-file'], 'mcp-servers-file', around.cwd)),
    betas: list(values.betas) ?? [],
    debug: values['sdk-debug'] ?? false,
    env: around.env,
    stateDir: around.stateDir,
    ...given('command', nonEmpty(values.command, 'command')),
    ...given('resume', nonEmpty(values.resume, 'resume')),
    ...given('model', nonEmpty(values.model, 'model')),
    ...given('fallbackModel', nonEmpty(values['fallback-model'], 'fallback-model')),
    ...given('instructions', instructions),
    ...given('structuredOutput', structuredOutput),
    ...given('linearIssue', nonEmpty(values['linear-issue'], 'linear-issue')),
    ...given('targetBranch', nonEmpty(values['target-branch'], 'target-branch')),
    ...given('debugFile', nonEmpty(values['sdk-debug-file'], 'sdk-debug-file')),
  };
}

const defaultOrphanLimit = 72 * 60 * 60;

function detachedOf(values: Values, cwd: string): Detached | null {
  const { socket, spool } = values;
  if (socket === undefined && spool === undefined) return null;
  if (!socket || !spool)
    throw new Failure('usage', '--socket and --spool go together: a detached runner journals what it says.');
  const limit = amount(values['orphan-limit'], 'orphan-limit', 'positive') ?? defaultOrphanLimit;
  return { socket: resolve(cwd, socket), spool: resolve(cwd, spool), orphanLimitMs: limit * 1000 };
}

function limitsOf(values: Values): Limits {
  return {
    ...given('maxBudgetUsd', amount(values['max-budget-usd'], 'max-budget-usd', 'positive')),
    ...given('maxTurns', amount(values['max-turns'], 'max-turns', 'whole')),
    ...given('maxThinkingTokens', amount(values['max-thinking-tokens'], 'max-thinking-tokens', 'whole or 0')),
  };
}

/** An optional field: present when it has a value, absent otherwise. */
function given<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed key is typed as string
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
}

function nonEmpty(value: string | undefined, name: string): string | undefined {
  if (value === '') throw new Failure('usage', `--${name} is empty.`);
  return value;
}

function choice<Schema extends z.ZodType>(
  value: string | undefined,
  name: string,
  schema: Schema,
): z.infer<Schema> | undefined {
  return value === undefined ? undefined : required(value, name, schema);
}

function required<Schema extends z.ZodType>(value: string, name: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const known =
    'options' in schema && Array.isArray(schema.options)
      ? schema.options.filter((one) => typeof one === 'string')
      : [];
  const hint = known.length > 0 ? ` Choose one of ${known.join(', ')}.` : '';
  throw new Failure('usage', `--${name}: "${value}" is not known.${hint}`);
}

function amount(
  value: string | undefined,
  name: string,
  kind: 'positive' | 'whole' | 'whole or 0',
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  const fits =
    value.trim() !== '' &&
    Number.isFinite(number) &&
    (kind === 'positive' ? number > 0 : Number.isInteger(number) && number >= (kind === 'whole' ? 1 : 0));
  if (!fits) throw new Failure('usage', `--${name}: "${value}" is not a ${kind} number.`);
  return number;
}

function list(value: string | undefined): string[] | undefined {
  return value
    ?.split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function text(path: string | undefined, name: string, cwd: string): string | undefined {
  if (path === undefined) return undefined;
  const file = resolve(cwd, path);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Failure('missing_file', `--${name}: ${file} cannot be read (${code}).`);
  }
}

function servers(json: string | undefined): Launch['mcpServers'] {
  if (json === undefined) return {};
  const parsed = McpServerFile.safeParse(parseJson(json, 'mcp-servers-file', 'invalid'));
  if (parsed.success) return parsed.data.mcpServers;
  const [issue] = parsed.error.issues;
  throw new Failure(
    'invalid',
    `--mcp-servers-file: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'malformed'}.`,
  );
}

function jsonObject(json: string | undefined, name: string): Record<string, unknown> | undefined {
  if (json === undefined) return undefined;
  const value = parseJson(json, name, 'usage');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure('usage', `--${name}: a JSON schema is a JSON object.`);
  }
  return { ...value };
}

function parseJson(json: string, name: string, code: 'usage' | 'invalid'): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Failure(code, `--${name}: not JSON (${error instanceof Error ? error.message : 'malformed'}).`);
  }
}

function firstSentence(message: string): string {
  return message.split(/\. To specify|\n/)[0] ?? message;
}
