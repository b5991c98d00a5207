import { readFileSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { ContainerRequest } from '../protocol/container.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';
import { given } from '../protocol/given.js';
import {
  McpServerFile,
  PermissionMode,
  RuntimeName,
  SettingSource,
  ToolPreset,
} from '../protocol/posture.js';
import { ProjectCodeFile } from '../protocol/project-code.js';
import { containersFolder, launchContainer, placeEnvironment } from '../runtimes/launch-container.js';
import type { Launch, Limits } from '../runtimes/runtime.js';
import { knownArguments } from './known-arguments.js';
import { serversByName } from './mcp-server-list.js';

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
  'memory-limit': { type: 'string' },
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
  'exit-codes': { type: 'boolean' },
  'observable-idle': { type: 'string' },
  container: { type: 'string' },
  'container-folder': { type: 'string' },
  terminal: { type: 'string' },
  'impatient-tools': { type: 'string' },
  compat: { type: 'string' },
  'no-project-code': { type: 'boolean' },
  'project-code-file': { type: 'string' },
  socket: { type: 'string' },
  spool: { type: 'string' },
  spare: { type: 'boolean' },
  park: { type: 'boolean' },
  'orphan-limit': { type: 'string' },
  'run-until': { type: 'string' },
  'idle-limit': { type: 'string' },
  'secret-file': { type: 'string' },
  epoch: { type: 'string' },
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

export type RunnerInvocation =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'terminal'; readonly launch: Launch; readonly command: readonly string[] }
  | {
      readonly kind: 'spare';
      readonly runtime: RuntimeName;
      readonly socket: string;
      readonly secret: string;
      /** What an agent is kept ready for. */
      readonly parks?: Launch;
    }
  | {
      readonly kind: 'run';
      readonly runtime: RuntimeName;
      readonly launch: Launch;
      readonly detached: Detached | null;
      /** How many bytes of memory the agent and all below it may use. */
      readonly memoryLimit?: number;
      /** What of the command line does not count. */
      readonly warnings: readonly string[];
    };

/** Where a detached runner is reached and where it journals. */
export interface Detached {
  readonly socket: string;
  readonly spool: string;
  /** After this time with no worker attached, the runner shuts down. */
  readonly orphanLimitMs: number;
  /** After this time with no worker attached and nothing to do, the runner shuts down. */
  readonly idleLimitMs: number;
  /** What a worker must know to attach. */
  readonly secret: string;
  /** Which life of the worker started the run; none before it may attach. */
  readonly epoch: number;
  /** Until when the agent may go on, in milliseconds since the machine started; for ever unless set. */
  readonly runUntil: number | null;
}

/** Reads the command line, with every named file; a Failure says which argument is wrong and why. */
export function readArguments(typed: readonly string[], around: Surroundings): RunnerInvocation {
  const compat = isCompatible(typed, around.env);
  const known = compat ? knownArguments(typed, options) : { argv: typed, warnings: [] };
  const warnings = [...known.warnings];
  const values = parse(known.argv);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const runtime = choice(values.runtime, 'runtime', RuntimeName) ?? 'claude';
  const place = { ...around, compat, runtime, warn: (message: string) => void warnings.push(message) };
  if (values.spare) {
    if (!values.socket)
      throw new Failure('usage', '--spare needs --socket: the run is sent over that socket.');
    const secret = secretIn(values['secret-file'], around.cwd);
    const socket = resolve(around.cwd, values.socket);
    const parks = values.park ? launchOf(values, place) : undefined;
    return { kind: 'spare', runtime, socket, secret, ...given({ parks }) };
  }
  if (values.compat !== undefined && values.compat !== 'chatml')
    throw new Failure('usage', `--compat: "${values.compat}" is unknown. Choose chatml.`);
  if (compat && runtime !== 'claude')
    throw new Failure('usage', `--compat chatml works with the runtime claude only, not with ${runtime}.`);
  if (values.terminal !== undefined) {
    const command = z
      .array(z.string())
      .min(1)
      .safeParse(parseJson(values.terminal, 'terminal', 'usage'));
    if (!command.success || values.container === undefined)
      throw new Failure('usage', '--terminal needs a command as a JSON array of words, and --container.');
    return {
      kind: 'terminal',
      launch: launchOf(values, place),
      command: command.data,
    };
  }
  return {
    kind: 'run',
    runtime,
    launch: { ...launchOf(values, place), ...(compat ? { compat: 'chatml' } : {}) },
    detached: detachedOf(values, around.cwd),
    ...given({ memoryLimit: amount(values['memory-limit'], 'memory-limit', 'whole') }),
    warnings,
  };
}

/** Whether a parent wants to be served as by the older runner; a worker is no such parent, whatever its environment says. */
function isCompatible(argv: readonly string[], env: Surroundings['env']): boolean {
  const isSaid = argv.includes('--compat=chatml') || argv[argv.indexOf('--compat') + 1] === 'chatml';
  const isDetached = argv.some((word) => /^--(?:socket|spool|spare)(?:=|$)/.test(word));
  if (isSaid && isDetached)
    throw new Failure(
      'usage',
      '--compat chatml speaks over stdin and stdout; leave --socket and --spool out.',
    );
  return isSaid || (env['HANDRAISE_COMPAT'] === 'chatml' && !isDetached);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new Failure('usage', firstSentence(errorSentence(error)));
  }
}

function launchOf(
  values: Values,
  around: Surroundings & {
    readonly compat: boolean;
    readonly runtime: RuntimeName;
    readonly warn: (message: string) => void;
  },
): Launch {
  const cwd = resolve(around.cwd, values.cwd ?? '.');
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure('missing_file', `--cwd: ${cwd} does not exist or is not a folder.`);
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
    projectCode: projectCode(values, around.cwd),
    mcpServers: servers(text(values['mcp-servers-file'], 'mcp-servers-file', around.cwd), around),
    betas: list(values.betas) ?? [],
    readsExitCodes: values['exit-codes'] ?? false,
    debug: values['sdk-debug'] ?? false,
    ...placeOf(values, around),
    stateDir: around.stateDir,
    isUnderWorker: values.socket !== undefined,
    ...given({
      command: nonEmpty(values.command, 'command'),
      observableIdleSeconds: amount(values['observable-idle'], 'observable-idle', 'positive'),
      resume: nonEmpty(values.resume, 'resume'),
      impatientTools: list(values['impatient-tools']),
      model: nonEmpty(values.model, 'model'),
      fallbackModel: nonEmpty(values['fallback-model'], 'fallback-model'),
      instructions,
      structuredOutput,
      linearIssue: nonEmpty(values['linear-issue'], 'linear-issue'),
      targetBranch: nonEmpty(values['target-branch'], 'target-branch'),
      debugFile: nonEmpty(values['sdk-debug-file'], 'sdk-debug-file'),
    }),
  };
}

/** The environment of the launch, and its container, where it has one: the agent's home is another one then. */
function placeOf(
  values: Values,
  { runtime, env, stateDir }: Surroundings & { readonly runtime: RuntimeName },
): Pick<Launch, 'env' | 'container'> {
  if (values.container === undefined) return { env };
  const json = values.container.startsWith('{')
    ? values.container
    : JSON.stringify({ image: values.container });
  const spec = ContainerRequest.safeParse(parseJson(json, 'container', 'usage'));
  if (!spec.success) throw new Failure('usage', `--container: ${sentenceOf(spec.error)}`);
  const folder = values['container-folder'] ?? containersFolder(stateDir);
  return {
    env: placeEnvironment(env, { runtime, container: spec.data, folder }),
    container: launchContainer(spec.data, { runtime, env, folder }),
  };
}

/** With a file of approved code, or with none of it wanted, what lies in the workspace does not count. */
function projectCode(values: Values, cwd: string): Launch['projectCode'] {
  const name = 'project-code-file';
  const json = text(values[name], name, cwd);
  if (json === undefined) return values['no-project-code'] ? { files: [] } : 'workspace';
  const parsed = ProjectCodeFile.safeParse(parseJson(json, name, 'invalid'));
  if (!parsed.success) throw new Failure('invalid', `--${name}: ${sentenceOf(parsed.error)}`);
  return { ...parsed.data, folder: resolve(cwd, `${values[name]}.d`) };
}

const defaultOrphanLimit = 72 * 60 * 60;
const defaultIdleLimit = 15 * 60;
const shortestSecret = 32;

function detachedOf(values: Values, cwd: string): Detached | null {
  const { socket, spool } = values;
  if (socket === undefined && spool === undefined) return null;
  if (!socket || !spool)
    throw new Failure(
      'usage',
      '--socket and --spool must be given together: a detached runner journals its events.',
    );
  const limit = amount(values['orphan-limit'], 'orphan-limit', 'positive') ?? defaultOrphanLimit;
  const idleLimit = amount(values['idle-limit'], 'idle-limit', 'positive') ?? defaultIdleLimit;
  return {
    socket: resolve(cwd, socket),
    spool: resolve(cwd, spool),
    orphanLimitMs: limit * 1000,
    idleLimitMs: idleLimit * 1000,
    secret: secretIn(values['secret-file'], cwd),
    epoch: amount(values.epoch, 'epoch', 'whole or 0') ?? 0,
    runUntil: amount(values['run-until'], 'run-until', 'whole or 0') ?? null,
  };
}

/** Read once and removed, because what an agent can read it could use to answer itself. */
function secretIn(path: string | undefined, cwd: string): string {
  if (!path)
    throw new Failure('usage', '--socket needs --secret-file: only who knows the secret may attach.');
  const secret = (text(path, 'secret-file', cwd) ?? '').trim();
  if (secret.length < shortestSecret)
    throw new Failure('usage', `--secret-file: the secret must have at least ${shortestSecret} characters.`);
  rmSync(resolve(cwd, path), { force: true });
  return secret;
}

function limitsOf(values: Values): Limits {
  return given({
    maxBudgetUsd: amount(values['max-budget-usd'], 'max-budget-usd', 'positive'),
    maxTurns: amount(values['max-turns'], 'max-turns', 'whole'),
    maxThinkingTokens: amount(values['max-thinking-tokens'], 'max-thinking-tokens', 'whole or 0'),
  });
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
  throw new Failure('usage', `--${name}: "${value}" is unknown.${hint}`);
}

/** What each kind of number must be, as it follows "must be". */
const amounts = {
  positive: 'a number greater than 0',
  whole: 'a whole number, 1 or more',
  'whole or 0': 'a whole number, 0 or more',
} as const;

function amount(value: string | undefined, name: string, kind: keyof typeof amounts): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  const fits =
    value.trim() !== '' &&
    Number.isFinite(number) &&
    (kind === 'positive' ? number > 0 : Number.isInteger(number) && number >= (kind === 'whole' ? 1 : 0));
  if (!fits) throw new Failure('usage', `--${name} must be ${amounts[kind]}, not "${value}".`);
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

function servers(
  json: string | undefined,
  { compat, warn }: { readonly compat: boolean; readonly warn: (message: string) => void },
): Launch['mcpServers'] {
  if (json === undefined) return {};
  const value = parseJson(json, 'mcp-servers-file', 'invalid');
  if (compat && Array.isArray(value)) return serversByName(value, warn);
  const parsed = McpServerFile.safeParse(value);
  if (parsed.success) return parsed.data.mcpServers;
  throw new Failure('invalid', `--mcp-servers-file: ${sentenceOf(parsed.error)}`);
}

function sentenceOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'malformed'}.`;
}

function jsonObject(json: string | undefined, name: string): Record<string, unknown> | undefined {
  if (json === undefined) return undefined;
  const value = parseJson(json, name, 'usage');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure('usage', `--${name}: a JSON Schema must be a JSON object.`);
  }
  return { ...value };
}

function parseJson(json: string, name: string, code: 'usage' | 'invalid'): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Failure(code, `--${name}: not JSON (${errorSentence(error)}).`);
  }
}

function firstSentence(message: string): string {
  return message.split(/\. To specify|\n/)[0] ?? message;
}
