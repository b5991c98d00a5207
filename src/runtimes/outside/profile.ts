// What a worker knows about adapters in packages of their own without loading one.
import { isAbsolute } from 'node:path';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { Capabilities, RuntimeProfile } from '../runtime.js';
import { readOutsideManifest } from './manifest.js';

/** Where npm installed a package; null where it is not there. */
export type FindPackage = (name: string) => string | null;

/** The runtimes of the user's settings, by the name behind `npm:`. */
export function outsideProfiles(
  packages: Readonly<Record<string, string>>,
  findPackage: FindPackage,
): RuntimeProfile[] {
  return Object.entries(packages).map(([name, from]) => outsideProfile(name, from, findPackage));
}

function outsideProfile(name: string, from: string, findPackage: FindPackage): RuntimeProfile {
  const look = () => readOutsideManifest(outsideFolder(from, findPackage));
  const declared = () => {
    try {
      return look().capabilities;
    } catch {
      return nothing;
    }
  };
  return {
    name: `npm:${name}`,
    capabilities: declared(),
    command: from,
    // The runner, which loads it, checks the rest.
    check: () => {
      look();
    },
    installed: () => {
      try {
        const { version } = look();
        return { found: true, ...given({ version }) };
      } catch (error) {
        return { found: false, missing: errorSentence(error) };
      }
    },
  };
}

/** The folder of a package: named by its path, or installed beside Handraise; never looked for in a project. */
export function outsideFolder(from: string, findPackage: FindPackage): string {
  const folder = isAbsolute(from) ? from : findPackage(from);
  if (folder !== null) return folder;
  throw new Failure(
    'config',
    `The package ${from} is not installed beside Handraise. Install it the same way, for example with npm install -g ${from}, or name its folder in the setting runtimes.`,
  );
}

const nothing: Capabilities = {
  commands: [],
  permissionModes: [],
  toolPresets: [],
  limits: [],
  resume: false,
  fork: false,
  questions: false,
  approvals: false,
  plans: false,
  editedInput: false,
  denyWithMessage: false,
  checkpoints: false,
  structuredOutput: false,
  defers: [],
};
