import { copyFile, lstat, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBoundedBytes } from '../files/bounded-file.js';
import { RefusalError } from '../files/refusal.js';
import { firstLine, Git } from './git.js';

const EXCLUDE_LIMIT = 1024 * 1024;
const INDEX_LIMIT = 512 * 1024 * 1024;

// What an agent's questions leave in a workspace is no work of its.
const OWN_EXCLUDES = '\n.agora/\n.claude/skills/agora-needs-input/\n';

/** The only settings of a repository that are taken over, each with the values that it may have. */
const ALLOWED_SETTINGS: Readonly<Record<string, RegExp>> = {
  'core.filemode': /^(true|false)$/,
  'core.ignorecase': /^(true|false)$/,
  'core.symlinks': /^(true|false)$/,
  'core.precomposeunicode': /^(true|false)$/,
  'core.autocrlf': /^(true|false|input)$/,
  'core.eol': /^(lf|crlf|native)$/,
};

/** Where the parts of a repository are, as git itself says. */
export interface RepositoryPlaces {
  /** The top of the work tree. */
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objects: string;
  readonly index: string;
  readonly objectFormat: string;
}

export interface ShadowOptions {
  readonly places: RepositoryPlaces;
  /** A folder of ours in which the shadow is made. */
  readonly scratch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where new objects go: `private` ones are gone with the shadow, `shared` ones are the repository's. */
  readonly objects: 'private' | 'shared';
  readonly filters: 'users' | 'none';
  readonly variables?: Readonly<Record<string, string>>;
}

/** Asks git where the parts of the repository around a folder are. */
export async function findPlaces(git: Git): Promise<RepositoryPlaces> {
  const answer = await git.read([
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--absolute-git-dir',
    '--git-common-dir',
    '--git-path',
    'objects',
    '--git-path',
    'index',
    '--show-object-format',
  ]);
  const [top, gitDir, commonDir, objects, index, objectFormat, ...rest] = answer.split('\n');
  if (!top || !gitDir || !commonDir || !objects || !index || !objectFormat || rest.join('') !== '')
    throw new RefusalError('The repository is in a folder with a line break in its name. Move it.');
  return { top, gitDir, commonDir, objects, index, objectFormat };
}

/**
 * A git directory of ours over the objects and the files of somebody else's repository. Nothing of that repository's
 * config is read but what is on a short list, so nothing in it can name a program; its index and refs are not touched.
 */
export class ShadowRepository implements AsyncDisposable {
  /** Git with the work tree, on a private copy of its index. */
  readonly workTree: Git;
  /** Git without a work tree: attributes that the repository's files give are not read. */
  readonly bare: Git;
  readonly places: RepositoryPlaces;
  readonly #folder: string;

  private constructor(parts: { workTree: Git; bare: Git; places: RepositoryPlaces; folder: string }) {
    this.workTree = parts.workTree;
    this.bare = parts.bare;
    this.places = parts.places;
    this.#folder = parts.folder;
  }

  static async open({
    places,
    scratch,
    env,
    objects,
    filters,
    variables,
  }: ShadowOptions): Promise<ShadowRepository> {
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(scratch, 'shadow-'));
    try {
      for (const name of ['objects', 'refs', 'info']) await mkdir(join(folder, name));
      await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
      await writeFile(join(folder, 'config'), await configOf({ places, env, folder }));
      await writeFile(join(folder, 'info', 'exclude'), excludesOf(places));
      const own = {
        GIT_INDEX_FILE: join(folder, 'index'),
        ...(objects === 'private'
          ? {
              GIT_OBJECT_DIRECTORY: join(folder, 'objects'),
              // Git splits this at colons unless the path is quoted.
              GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(places.objects),
            }
          : { GIT_OBJECT_DIRECTORY: places.objects }),
        ...variables,
      };
      const place = { env, gitDir: folder, filters };
      const bare = await Git.open({ ...place, cwd: folder, variables: own });
      const workTree = await Git.open({
        ...place,
        cwd: places.top,
        variables: { ...own, GIT_WORK_TREE: places.top },
      });
      const shadow = new ShadowRepository({ workTree, bare, places, folder });
      await shadow.#copyIndex();
      return shadow;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Empties the private index and fills it with a tree; what git knew of the files' times is lost with it. */
  async readTree(tree: string): Promise<void> {
    await rm(join(this.#folder, 'index'), { force: true });
    await this.bare.succeed(['read-tree', tree]);
  }

  // The copy knows the times of the files, so that only what changed is read again.
  async #copyIndex(): Promise<void> {
    const { index } = this.places;
    const found = await lstat(index).catch(() => undefined);
    if (!found?.isFile() || found.size > INDEX_LIMIT) return;
    await copyFile(index, join(this.#folder, 'index'));
    // One that is split, or damaged, is not whole without files that stand beside the original.
    const whole = await this.bare.run(['ls-files', '--unmerged', '-z']);
    if (whole.code !== 0) await rm(join(this.#folder, 'index'), { force: true });
  }
}

function excludesOf({ commonDir }: RepositoryPlaces): string {
  const read = readBoundedBytes(join(commonDir, 'info', 'exclude'), {
    limit: EXCLUDE_LIMIT,
    followLink: false,
  });
  return (read.ok ? read.bytes.toString('utf8') : '') + OWN_EXCLUDES;
}

async function configOf(where: {
  readonly places: RepositoryPlaces;
  readonly env: ShadowOptions['env'];
  readonly folder: string;
}): Promise<string> {
  const { places, env, folder } = where;
  const isSha256 = places.objectFormat === 'sha256';
  const lines = [
    '[core]',
    `repositoryformatversion = ${isSha256 ? 1 : 0}`,
    'bare = true',
    ...(isSha256 ? ['[extensions]', 'objectformat = sha256'] : []),
    // Where git-lfs keeps what it takes out of files; it would be the shadow's own folder otherwise.
    '[lfs]',
    `storage = ${JSON.stringify(join(places.commonDir, 'lfs'))}`,
  ];
  await writeFile(join(folder, 'config'), `${lines.join('\n')}\n`);
  // Reading a config file as a file follows no include and starts nothing.
  const git = await Git.open({ cwd: folder, env, gitDir: folder });
  const file = join(places.commonDir, 'config');
  const listed = await git.run(['config', '--file', file, '--no-includes', '-z', '--get-regexp', '^core\\.']);
  if (listed.code > 1)
    throw new RefusalError(`The repository's config cannot be read: ${firstLine(listed.stderr)}`);
  const taken = new Map<string, string>();
  for (const entry of listed.stdout.split('\0')) {
    const [key = '', value = 'true'] = entry.split('\n', 2);
    if (ALLOWED_SETTINGS[key.toLowerCase()]?.test(value)) taken.set(key.toLowerCase(), value);
  }
  const settings = [...taken].map(([key, value]) => `${key.slice('core.'.length)} = ${value}`);
  return `${lines.join('\n')}\n[core]\n${settings.join('\n')}\n`;
}
