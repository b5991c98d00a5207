import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { packageFolder } from '../../process/files/package-folder.js';
import { Failure } from '../../protocol/failure.js';
import { stringField } from '../../protocol/string-field.js';
import { containerfile, type RecipeName, recipeOf, usualBase } from './image-recipe.js';

/** An image to build. */
export interface ImageOrder {
  readonly runtime: RecipeName;
  readonly engine: string;
  readonly image: string;
  readonly base?: string;
  /** The version of the agent; the newest unless said, and for Claude the one that its SDK was made for. */
  readonly version?: string;
}

/** Builds an image; what the engine prints goes to stderr, because a build takes minutes. */
export async function buildImage(order: ImageOrder): Promise<void> {
  const context = mkdtempSync(join(tmpdir(), 'handraise-image-'));
  try {
    writeFileSync(join(context, 'Containerfile'), containerfile(order.runtime));
    mkdirSync(join(context, 'agent'));
    await fetchAgent(order, join(context, 'agent'));
    await run(order.engine, [
      'build',
      '--file',
      join(context, 'Containerfile'),
      '--tag',
      order.image,
      '--build-arg',
      `BASE=${order.base ?? usualBase}`,
      context,
    ]);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** With the npm of this machine, which knows its registry and its proxy; a build has neither. */
async function fetchAgent({ runtime, version }: ImageOrder, folder: string): Promise<void> {
  const recipe = recipeOf(runtime);
  if (!recipe.package) return;
  const name = recipe.package(process.arch);
  const here = version === undefined && runtime === 'claude' ? suppliedPackage(name) : null;
  if (here !== null) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(here, place, { recursive: true });
    return;
  }
  await run('npm', [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--force',
    // The image is Linux, whatever this machine is.
    '--os=linux',
    `--cpu=${process.arch}`,
    '--libc=glibc',
    `${name}@${version ?? (runtime === 'claude' ? sdkVersion() : 'latest')}`,
  ]);
}

/** The agent that came with us, where this machine runs what the image runs. */
function suppliedPackage(name: string): string | null {
  const sdk = packageFolder('@anthropic-ai/claude-agent-sdk');
  const folder = sdk === null ? null : packageFolder(name, sdk);
  return folder !== null && existsSync(join(folder, 'claude')) ? folder : null;
}

function sdkVersion(): string {
  const folder = packageFolder('@anthropic-ai/claude-agent-sdk');
  if (folder === null)
    throw new Failure(
      'not_installed',
      'The Claude Agent SDK is not installed. Name a version: --agent-version',
    );
  const read = readBoundedFile(join(folder, 'package.json'), { limit: 2 ** 20, followLink: true });
  return (read.ok && stringField(JSON.parse(read.text), 'version')) || 'latest';
}

async function run(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, { stdio: ['ignore', process.stderr, process.stderr] });
  try {
    const [code] = await once(child, 'exit');
    if (code !== 0)
      throw new Failure('unavailable', `${file} ended with exit code ${code}. What it said is above.`);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('unavailable', `${file} cannot be started. Is it installed?`, { cause: error });
  }
}
