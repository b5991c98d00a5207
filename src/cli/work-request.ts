import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { usualContainer } from '../domain/container/usual-container.js';
import { readBoundedBytes } from '../process/files/bounded-file.js';
import type { Attachment } from '../protocol/attachment.js';
import type { Budget } from '../protocol/budget.js';
import type { Container } from '../protocol/container.js';
import { DispatchRequest } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';
import { given } from '../protocol/given.js';
import type { ThreadId } from '../protocol/id.js';
import type { UnansweredRules } from '../protocol/prompt.js';
import { containerSettings } from './settings/container-settings.js';
import type { Settings } from './settings/settings.js';

/** What `run` was called with, as far as it says what to do. */
export interface WorkOptions {
  readonly workspace?: string;
  readonly repo?: string;
  readonly ref?: string;
  readonly worktree?: true;
  readonly includeChanges?: true;
  readonly exitCodes?: true;
  readonly observable?: true;
  readonly skill?: string;
  readonly memoryLimit?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** False where none is wanted. */
  readonly budget?: Budget | false;
  readonly threadBudget?: Budget;
  readonly onFailure?: string;
  readonly name?: string;
  readonly on?: string;
  readonly title?: string;
  readonly priority?: number;
  readonly verify?: string;
  readonly verifyMerged?: string;
  readonly input?: boolean;
  readonly label?: readonly (readonly [string, string])[];
  readonly attach?: readonly string[];
  readonly unanswered?: UnansweredRules;
}

/** The work as the API takes it. */
export async function workRequest(
  text: string,
  options: WorkOptions,
  context: {
    readonly settings: Settings;
    readonly thread?: ThreadId;
    /** What this command line itself says. */
    readonly flags: { readonly [setting: string]: unknown };
  },
): Promise<DispatchRequest> {
  const { settings, thread, flags } = context;
  // A thread keeps what it was made with. What the user's files say is for new ones; what is typed here is refused by name.
  const own = thread === undefined ? settings : typed(settings, flags);
  const attachments = (options.attach ?? []).map(attachment);
  const folder = resolve(options.workspace ?? '.');
  const { repo, ref } = options;
  // A folder of another machine is looked for there.
  if (thread === undefined && options.on === undefined && repo === undefined) await expectFolder(folder);
  const request = {
    text,
    ...(thread === undefined
      ? {
          workspace:
            repo === undefined
              ? {
                  path: folder,
                  ...(options.worktree && { worktree: true }),
                  ...(options.includeChanges && { includeChanges: true }),
                }
              : { repo, ...given({ ref }) },
          runtime: settings.runtime,
        }
      : { thread }),
    retries: settings.retries,
    ...given({
      permissions: own.permissions,
      name: options.name,
      on: options.on,
      title: options.title,
      priority: options.priority,
      timeoutSeconds: settings.timeoutSeconds,
      verify: options.verify,
      verifyMerged: options.verifyMerged,
      onSuccess: onSuccessOf(settings, { flags, options }),
      unanswered: options.unanswered,
      onFailure: options.onFailure,
      budget: options.budget === false ? undefined : options.budget,
      threadBudget: options.threadBudget,
    }),
    ...(options.input === false && { noInput: true }),
    ...(options.label && { labels: Object.fromEntries(options.label) }),
    ...(attachments.length > 0 && { attachments }),
    ...posture(own, {
      ...options,
      isNew: thread === undefined,
      observableIdleSeconds: options.observable && settings.observableIdleSeconds,
      container: own.container && usualContainer(containerSettings(settings), settings.runtime),
    }),
  };
  const parsed = DispatchRequest.safeParse(request);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure('invalid', `${issue?.path.join('.')}: ${issue?.message}`);
}

/** The setting is for worktrees; what is typed here is refused by name where there is none. */
function onSuccessOf(
  { onSuccess }: Settings,
  {
    flags,
    options: { worktree, repo },
  }: { readonly flags: { readonly [setting: string]: unknown }; readonly options: WorkOptions },
): Settings['onSuccess'] | undefined {
  if (flags['onSuccess'] !== undefined) return onSuccess;
  const isMeant = worktree ? onSuccess !== 'keep' : repo !== undefined && onSuccess === 'pr';
  return isMeant ? onSuccess : undefined;
}

type OfThread = Partial<Pick<Settings, (typeof ofThread)[number]>>;

const ofThread = [
  'runtime',
  'execCommand',
  'permissions',
  'model',
  'permissionMode',
  'toolPreset',
  'container',
] as const;

function typed(settings: Settings, flags: { readonly [setting: string]: unknown }): OfThread {
  return Object.fromEntries(
    ofThread.flatMap((name) => (flags[name] === undefined ? [] : [[name, settings[name]]])),
  );
}

function posture(
  settings: OfThread,
  {
    isNew,
    exitCodes,
    observableIdleSeconds,
    skill,
    memoryLimit,
    env,
    container,
  }: Pick<WorkOptions, 'exitCodes' | 'skill' | 'memoryLimit' | 'env'> & {
    readonly isNew: boolean;
    readonly container: Container | false | undefined;
    readonly observableIdleSeconds: number | undefined;
  },
): { posture?: object } {
  const { model, permissionMode, toolPreset } = settings;
  const isCommand = isNew && settings.runtime === 'exec' && skill === undefined;
  const command = isCommand ? settings.execCommand : undefined;
  const chosen = given({
    command,
    skill,
    exitCodes,
    observableIdleSeconds,
    memoryLimit,
    env,
    model,
    permissionMode,
    toolPreset,
    container: container || undefined,
  });
  return Object.keys(chosen).length > 0 ? { posture: chosen } : {};
}

const images: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

// The API takes 32 MiB with all that is around it, and an image grows by a third.
const largestAttachment = 24 * 2 ** 20;

function attachment(file: string): Attachment {
  const path = resolve(file);
  const read = readBoundedBytes(path, { limit: largestAttachment, followLink: true });
  if (!read.ok) throw new Failure('missing_file', `Cannot read the attachment ${file}: ${read.error}.`);
  const { bytes } = read;
  const name = basename(path);
  const mediaType = images[extname(path).toLowerCase()];
  if (mediaType === undefined) return { type: 'file', path, name, content: textOf(bytes, file) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table holds exactly the types of the schema
  return { type: 'image', mediaType: mediaType as 'image/png', data: bytes.toString('base64'), name };
}

function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Failure(
      'invalid',
      `Cannot attach ${file}: it is neither UTF-8 text nor a PNG, JPEG, GIF or WebP image.`,
      { cause: error },
    );
  }
}

async function expectFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new Failure('missing_file', `The workspace ${folder} does not exist or is not a folder.`);
}
