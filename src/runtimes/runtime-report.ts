import type { ProgramVersions } from '../process/children/program-version.js';
import type { RuntimeReport } from '../protocol/api.js';
import { given } from '../protocol/given.js';
import type { RuntimeProfile } from './runtime.js';
import { worksInContainers } from './supported.js';

type Place = Parameters<RuntimeProfile['installed']>[0];

/** A runtime as this machine has it; a program is asked for its version where nothing else tells it. */
export async function runtimeReport(
  profile: RuntimeProfile,
  { versions, ...place }: Place & { readonly versions: ProgramVersions },
): Promise<RuntimeReport> {
  const { name, hasFixedModel = false } = profile;
  const capabilities = {
    ...profile.capabilities,
    containers: worksInContainers(name),
    model: !hasFixedModel,
  };
  const installed = profile.installed(place);
  if (!installed.found) return { name, ...installed, capabilities };
  const { program } = installed;
  const version = installed.version ?? (program === undefined ? undefined : await versions.of(program));
  return { name, found: true, ...given({ version }), capabilities };
}
