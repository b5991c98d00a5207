import { join } from 'node:path';
import { Failure } from '../../protocol/failure.js';
import type { ProjectCodeService } from './project-code.js';

/** Finds the executable behind the name of a skill: the user's own, or one of the project's that a person has approved. */
export class Skills {
  readonly #own: Readonly<Record<string, string>>;
  readonly #projectCode: ProjectCodeService;

  /** The user's own are command lines by name. */
  constructor(own: Readonly<Record<string, string>>, projectCode: ProjectCodeService) {
    this.#own = own;
    this.#projectCode = projectCode;
  }

  /** The command line of a skill in the project of this folder; asked again before each start, because files change. */
  async commandOf(name: string, folder: string): Promise<string> {
    const own = Object.hasOwn(this.#own, name) ? this.#own[name] : undefined;
    if (own !== undefined) return own;
    const skills = await this.#projectCode.skillsOf(folder);
    if (!skills?.executables.includes(name))
      throw new Failure(
        'missing_file',
        `There is no skill ${name}: it is neither in skills of your settings nor an executable file skills/${name} of the project.`,
      );
    if (!skills.approved)
      throw new Failure(
        'no_permission',
        `Nobody has approved skills/ of this project as it is. Read and approve it with: handraise config trust ${folder}`,
      );
    return quoted(join(skills.top, 'skills', name));
  }
}

/** A path as one word of a command line, in which braces would be places to fill in. */
function quoted(path: string): string {
  if (/['{}\n]/.test(path))
    throw new Failure('config', `A skill cannot be started from ${path}: its path holds a quote or a brace.`);
  return `'${path}'`;
}
