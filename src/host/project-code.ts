import { realpath, stat } from 'node:fs/promises';
import type { ProjectCodeReport } from '../protocol/api.js';
import { Failure } from '../protocol/failure.js';
import type { Actor, ProjectCode } from './host.js';
import { type ProjectFiles, readProjectFiles } from './project-files.js';
import { type ProjectPlace, projectPlace } from './project-place.js';
import { TrustedProjects } from './trusted-projects.js';

export interface ProjectCodeOutside {
  /** Where approvals are kept. */
  readonly file: string;
  readonly now: () => number;
}

/** A project as it stands: its place, its files, and whether a person has approved exactly these. */
interface Inspected {
  readonly place: ProjectPlace;
  readonly code: ProjectFiles;
  readonly approved: boolean;
}

/** Knows which projects may bring code of their own: what a person approved, byte for byte, and nothing that changed since. */
export class ProjectCodeDesk implements ProjectCode {
  readonly #trusted: TrustedProjects;
  readonly #now: () => number;

  constructor({ file, now }: ProjectCodeOutside) {
    this.#trusted = new TrustedProjects(file);
    this.#now = now;
  }

  /** Whether a project's code may be loaded; a project without any may. */
  async isApproved(path: string): Promise<{ approved: boolean; digest: string; files: string[] }> {
    const { code, approved } = await this.#inspect(path);
    return { approved, digest: code.digest, files: code.files.map((file) => file.path) };
  }

  async inspect(path: string): Promise<ProjectCodeReport> {
    return reportOf(path, await this.#inspect(path));
  }

  async approve(
    path: string,
    { digest, actor }: { readonly digest: string; readonly actor: Actor },
  ): Promise<ProjectCodeReport> {
    const inspected = await this.#inspect(path);
    const { place, code } = inspected;
    if (code.digest !== digest)
      throw new Failure('conflict', `The project's files in ${path} are not what was approved. Look again.`);
    const odd = code.files.find(({ problem }) => problem !== undefined);
    if (odd !== undefined) throw new Failure('conflict', `${odd.path} cannot be approved: ${odd.problem}.`);
    const approvedAt = new Date(this.#now()).toISOString();
    if (code.files.length > 0) await this.#trusted.add({ place: place.key, digest, actor, approvedAt });
    return reportOf(path, { ...inspected, approved: true });
  }

  async #inspect(path: string): Promise<Inspected> {
    const folder = await stat(path).catch(() => undefined);
    if (!folder?.isDirectory()) throw new Failure('missing_file', `${path} is not a folder.`);
    const place = await projectPlace(path);
    const code = readProjectFiles(await realpath(path), place);
    return { place, code, approved: this.#isApproved(place, code) };
  }

  #isApproved(place: ProjectPlace, { files, digest }: ProjectFiles): boolean {
    if (files.length === 0) return true;
    if (files.some(({ problem }) => problem !== undefined)) return false;
    return this.#trusted.has({ place: place.key, digest });
  }
}

function reportOf(path: string, { code, approved }: Inspected): ProjectCodeReport {
  const files = code.files.map(({ path: name, text, problem }) => ({
    path: name,
    text: problem === undefined ? text : `[not read: ${problem}]`,
  }));
  return { path, files, digest: code.digest, approved };
}
