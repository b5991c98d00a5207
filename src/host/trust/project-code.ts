import { realpath, stat } from 'node:fs/promises';
import type { ProjectCodeReport } from '../../protocol/api.js';
import { Failure } from '../../protocol/failure.js';
import { type Clock, instant } from '../clock.js';
import type { Actor, ProjectCode } from '../host.js';
import { type ProjectFile, type ProjectFiles, readProjectFiles } from './project-files.js';
import { type ProjectRoot, projectRoot } from './project-root.js';
import { TrustedProjects } from './trusted-projects.js';

/** A project as it stands: its place, its files, and whether a person has approved exactly these. */
interface Inspected {
  readonly place: ProjectRoot;
  readonly code: ProjectFiles;
  readonly approved: boolean;
}

/** What of a project's code agents are given. */
export interface ApprovedFiles {
  readonly files: readonly ProjectFile[];
  readonly withheld: readonly string[];
}

/** Knows which projects may bring code of their own: what a person approved, byte for byte, and nothing that changed since. */
export class ProjectCodeService implements ProjectCode {
  readonly #trusted: TrustedProjects;
  readonly #clock: Pick<Clock, 'now'>;

  /** Approvals are kept in the file. */
  constructor(file: string, clock: Pick<Clock, 'now'>) {
    this.#trusted = new TrustedProjects(file);
    this.#clock = clock;
  }

  /** The files of a project that agents may be given, byte for byte what was approved, and the names of the others. */
  async approvedFiles(path: string): Promise<ApprovedFiles> {
    const { code, approved } = await this.#inspect(path);
    return approved
      ? { files: code.files, withheld: [] }
      : { files: [], withheld: code.files.map((file) => file.path) };
  }

  /** Approvals of other code that a person has read: the hooks of a repository. */
  get hookApprovals() {
    return {
      has: (wanted: { readonly place: string; readonly digest: string }) => this.#trusted.has(wanted),
      add: async (approval: { readonly place: string; readonly digest: string; readonly actor: string }) =>
        await this.#trusted.add({ ...approval, approvedAt: instant(this.#clock) }),
    };
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
      throw new Failure(
        'conflict',
        `The project's files in ${path} have changed since you looked. Inspect them again.`,
      );
    const odd = code.files.find(({ problem }) => problem !== undefined);
    if (odd !== undefined) throw new Failure('conflict', `${odd.path} cannot be approved: ${odd.problem}.`);
    const approvedAt = instant(this.#clock);
    if (code.files.length > 0) await this.#trusted.add({ place: place.key, digest, actor, approvedAt });
    return reportOf(path, { ...inspected, approved: true });
  }

  async #inspect(path: string): Promise<Inspected> {
    const folder = await stat(path).catch(() => undefined);
    if (!folder?.isDirectory()) throw new Failure('missing_file', `${path} is not a folder.`);
    const place = await projectRoot(path);
    const code = readProjectFiles(await realpath(path), place);
    return { place, code, approved: this.#isApproved(place, code) };
  }

  #isApproved(place: ProjectRoot, { files, digest }: ProjectFiles): boolean {
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
