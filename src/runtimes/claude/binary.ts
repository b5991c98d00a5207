import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { findExecutable } from '../../process/children/executable.js';
import { SpawnError } from '../../process/children/spawn-error.js';
import { Failure } from '../../protocol/failure.js';

/** The variable that names an installed Claude Code. */
const binaryVariable = 'HANDRAISE_CLAUDE';

/** The Claude Code that the user has named; null where the copy that comes with the SDK is started. */
export function namedClaude(env: Readonly<Record<string, string | undefined>>): string | null {
  const named = env[binaryVariable];
  if (named === undefined) return null;
  try {
    return findExecutable(named, { path: env['PATH'], cwd: '/' });
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    throw new Failure(
      'not_installed',
      `Claude Code is not installed where ${binaryVariable} says: ${error.message}. Install it, or correct or remove ${binaryVariable}.`,
      { cause: error },
    );
  }
}

type PackageFolder = (name: string, from?: string) => string | null;

const sdk = '@anthropic-ai/claude-agent-sdk';
const platformPackage = `${sdk}-${process.platform}-${process.arch}`;

/** The copy that comes with the SDK, and the SDK's own folder; null where it is not there. */
export function suppliedClaude(packageFolder: PackageFolder): { program: string; folder: string } | null {
  const folder = packageFolder(sdk);
  if (folder === null) return null;
  const programs = [platformPackage, `${platformPackage}-musl`].flatMap((name) => {
    const place = packageFolder(name, folder);
    return place !== null && isExecutable(join(place, 'claude')) ? [join(place, 'claude')] : [];
  });
  return programs[0] === undefined ? null : { program: programs[0], folder };
}

/** The Claude Code that is started here: the one that was named, else the copy of the SDK. */
export function claudeProgram(place: {
  readonly env: Readonly<Record<string, string>>;
  readonly packageFolder: PackageFolder;
}): string {
  const program = namedClaude(place.env) ?? suppliedClaude(place.packageFolder)?.program;
  if (program === undefined) throw new Failure('not_installed', notSupplied());
  return program;
}

/** What is missing, and what to do. */
export function notSupplied(): string {
  return `Claude Code is not installed: npm puts it into ${platformPackage}, an optional dependency of Handraise, and it is not there or cannot be executed. Install Handraise again, with optional dependencies: npm install -g handraise --include=optional. Or name a Claude Code that you have in HANDRAISE_CLAUDE.`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
