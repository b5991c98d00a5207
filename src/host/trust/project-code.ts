import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ProjectCodeReport } from '../../protocol/api.js';
import { Failure } from '../../protocol/failure.js';
import { type Clock, instant } from '../clock.js';
import type { Actor, ProjectCode } from '../host.js';
import { pipelineDigest, readPipelineFile } from './pipeline-files.js';
import { type ProjectFile, type ProjectFiles, readProjectFiles } from './project-files.js';
import { type ProjectRoot, projectRoot } from './project-root.js';
import { readSetupFiles, type SetupFiles } from './setup-files.js';
import { readSkillFiles, type SkillFiles } from './skill-files.js';
import { TrustedProjects } from './trusted-projects.js';

/** A project as it stands: its place, its files, and whether a person has approved exactly these. */
interface Inspected {
  readonly place: ProjectRoot;
  readonly code: ProjectFiles;
  readonly approved: boolean;
  readonly setup?: ReadSetup;
  readonly skills?: ReadSkills;
}

/** The project's skills, where they lie, and whether a person has approved them as they are. */
export interface ReadSkills extends SkillFiles {
  readonly top: string;
  readonly approved: boolean;
}

/** How the project's worktrees are set up, and whether a person has approved the scripts as they are. */
export interface ReadSetup extends SetupFiles {
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

  /** How a worktree is set up by its project's own settings, or why these cannot be used. */
  async setupOf(path: string): Promise<ReadSetup | { readonly problem: string } | undefined> {
    const place = await projectRoot(path);
    const setup = readSetupFiles(await realpath(path), place);
    if (setup === undefined || 'problem' in setup) return setup;
    return { ...setup, approved: this.#isApproved(place, setup) };
  }

  async skillsOf(path: string): Promise<ReadSkills | undefined> {
    const place = await projectRoot(path);
    const skills = readSkillFiles(place);
    return skills && { ...skills, top: place.top, approved: this.#isApproved(place, skills) };
  }

  /** Refuses a pipeline whose file nobody has approved as it is; the commands in it are code. */
  async expectApprovedFile(file: string, text: string): Promise<void> {
    const place = await projectRoot(dirname(file)).catch(() => undefined);
    if (place && this.#trusted.has({ place: place.key, digest: pipelineDigest(text) })) return;
    throw new Failure(
      'no_permission',
      `Nobody has approved the commands of ${file} as they are. Read and approve them with: handraise config trust ${file}`,
    );
  }

  async inspect(path: string): Promise<ProjectCodeReport> {
    return reportOf(path, await this.#inspect(path));
  }

  async approve(
    path: string,
    { digest, actor }: { readonly digest: string; readonly actor: Actor },
  ): Promise<ProjectCodeReport> {
    const inspected = await this.#inspect(path);
    const { place, code, setup, skills } = inspected;
    const meant = [code, setup, skills].find((files) => files?.digest === digest);
    if (meant === undefined)
      throw new Failure(
        'conflict',
        `The project's files in ${path} have changed since you looked. Inspect them again.`,
      );
    const odd = meant.files.find(({ problem }) => problem !== undefined);
    if (odd !== undefined) throw new Failure('conflict', `${odd.path} cannot be approved: ${odd.problem}.`);
    const approvedAt = instant(this.#clock);
    if (meant.files.length > 0) await this.#trusted.add({ place: place.key, digest, actor, approvedAt });
    return reportOf(path, {
      ...inspected,
      ...(meant === code && { approved: true }),
      ...(setup && meant === setup && { setup: { ...setup, approved: true } }),
      ...(skills && meant === skills && { skills: { ...skills, approved: true } }),
    });
  }

  async #inspect(path: string): Promise<Inspected> {
    const folder = await stat(path).catch(() => undefined);
    if (folder?.isFile()) return await this.#inspectFile(path);
    if (!folder?.isDirectory()) throw new Failure('missing_file', `${path} is not a folder.`);
    const place = await projectRoot(path);
    const code = readProjectFiles(await realpath(path), place);
    const setup = await this.setupOf(path);
    const skills = await this.skillsOf(path);
    return {
      place,
      code,
      approved: this.#isApproved(place, code),
      ...(setup !== undefined && !('problem' in setup) && { setup }),
      ...(skills && { skills }),
    };
  }

  /** A file by itself is a pipeline. */
  async #inspectFile(path: string): Promise<Inspected> {
    const place = await projectRoot(dirname(path));
    const code = readPipelineFile(path);
    return { place, code, approved: this.#isApproved(place, code) };
  }

  #isApproved(place: ProjectRoot, { files, digest }: Pick<ProjectFiles, 'files' | 'digest'>): boolean {
    if (files.length === 0) return true;
    if (files.some(({ problem }) => problem !== undefined)) return false;
    return this.#trusted.has({ place: place.key, digest });
  }
}

function reportOf(path: string, { code, approved, setup, skills }: Inspected): ProjectCodeReport {
  const report = {
    path,
    files: code.files.map(shown),
    digest: code.digest,
    approved,
    ...(skills && {
      skills: { files: skills.files.map(shown), digest: skills.digest, approved: skills.approved },
    }),
  };
  if (setup === undefined || setup.files.length === 0) return report;
  const commands = setup.config.setupScripts.map(({ name, command }) => ({ name, command }));
  const { digest } = setup;
  return { ...report, setup: { commands, files: setup.files.map(shown), digest, approved: setup.approved } };
}

function shown({ path, text, problem }: ProjectFile): ProjectCodeReport['files'][number] {
  return problem === undefined ? { path, text } : { path, text: `[not read: ${problem}]`, problem };
}
