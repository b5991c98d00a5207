import type { Finding } from '../domain/preflight/finding.js';
import { Failure } from '../protocol/failure.js';
import type { Launch, PreflightLaunch } from './runtime.js';

/** What an adapter that does not start in some projects says of this one, before a process is started for it. */
export function refusedProject(
  { cwd, env, projectFiles, isProjectKnown }: PreflightLaunch,
  expectApproved: (place: Pick<Launch, 'cwd' | 'projectCode' | 'env'>) => void,
): readonly Finding[] {
  if (!isProjectKnown) return [];
  try {
    expectApproved({ cwd, env, projectCode: { files: projectFiles } });
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ subject: 'project', stops: 'no_permission', problem: error.message, fix: '' }];
  }
}
