import { stat } from 'node:fs/promises';
import { pieceOf } from '../../domain/review/line-piece.js';
import { RefusalError } from '../../process/files/refusal.js';
import { type DiffBase, headBase, mergeBase } from '../../process/git/diff-base.js';
import { findForkPoint } from '../../process/git/fork-point.js';
import type { Git } from '../../process/git/git.js';
import { readHunks } from '../../process/git/hunks.js';
import { findRepository, type Repository } from '../../process/git/repository.js';
import { findPlaces, ShadowRepository } from '../../process/git/shadow-repository.js';
import { blobOf, compareTrees, patchesOf, patchOf, type TreeChange } from '../../process/git/tree-changes.js';
import { type LeftOut, takeSnapshot } from '../../process/git/work-tree-snapshot.js';
import type { ChangedFileLines, ChangedPath, ChangePage, WorkOrigin } from '../../protocol/changes.js';
import { Failure } from '../../protocol/failure.js';
import type { Workspace } from '../../protocol/workspace.js';
import { largestPageBytes } from '../../store/page.js';
import { largestCompared } from './work-origin.js';

const defaultFiles = 100;
const mostNamed = 5;
/** What one file may take of a page that holds others too; asked for alone it may take the whole page. */
const largestFile = 256 * 1024;

/** Which part of the changes. */
export interface ChangeRequest {
  readonly cursor?: string;
  readonly limit?: number;
  /** Whether the lines come along. */
  readonly hunks?: boolean;
  /** Only this file. */
  readonly path?: string;
}

/** Which lines of a changed file. */
export interface ChangedLineRequest {
  readonly path: string;
  /** The file as it was, or as it is now. */
  readonly side: 'old' | 'new';
  readonly from: number;
  readonly count: number;
}

/** A workspace and where the work in it began. */
export interface WorkPlace {
  readonly workspace: Workspace;
  readonly origin?: WorkOrigin | undefined;
}

/** Reads what a thread's agent changed, and starts no program that its repository names. */
export class ChangeReader {
  readonly #scratch: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor({
    scratch,
    env,
  }: { readonly scratch: string; readonly env: Readonly<Record<string, string>> }) {
    this.#scratch = scratch;
    this.#env = env;
  }

  /** A part of the changes, ended by number or by size. */
  async page(place: WorkPlace, request: ChangeRequest): Promise<ChangePage> {
    return await this.#compared(place, async (compared) => await pageOf(compared, place, request));
  }

  /** Lines of a changed file, as it was or as it is. */
  async lines(place: WorkPlace, request: ChangedLineRequest): Promise<ChangedFileLines> {
    return await this.#compared(place, async (compared) => await linesOf(compared, request));
  }

  /** All of it as a patch in git's own words, cut after so many characters. */
  async patch(
    place: WorkPlace,
    limit: number,
  ): Promise<{ readonly page: ChangePage; readonly text: string; readonly isCut: boolean }> {
    return await this.#compared(place, async (compared) => {
      const page = await pageOf(compared, place, { limit: 2000 });
      const { git, base, tree, changes } = compared;
      const patches = await patchesOf(git, { from: base.commit, to: tree, changes });
      const text = [...(patches?.values() ?? [])].join('');
      const isCut = patches === undefined || text.length > limit;
      return { page, isCut, text: isCut ? text.slice(0, text.lastIndexOf('\n', limit) + 1) : text };
    });
  }

  async #compared<Result>(
    { workspace, origin }: WorkPlace,
    read: (compared: Compared) => Promise<Result>,
  ): Promise<Result> {
    const { path } = workspace;
    const folder = await stat(path).catch(() => undefined);
    if (!folder?.isDirectory()) throw new Failure('missing_file', goneSentence(workspace));
    try {
      const repository = await findRepository({ cwd: path, env: this.#env, filters: 'none' });
      if ('missing' in repository)
        throw new Failure(
          'conflict',
          `${path} has no git repository to compare with: ${repository.missing}. Run git init there before the next work.`,
        );
      const { note, ...base } = await baseOf(repository, origin);
      await using shadow = await ShadowRepository.open({
        places: await findPlaces(repository.git),
        scratch: this.#scratch,
        env: this.#env,
        objects: 'private',
        filters: 'none',
      });
      const { head } = repository;
      const { tree, leftOut } = await takeSnapshot(shadow, {
        head: head.kind === 'unborn' ? undefined : head.commit,
        largest: largestCompared,
      });
      const changes = await compareTrees(shadow.bare, base.commit, tree);
      const notes = [...(note === undefined ? [] : [note]), ...leftOutNotes(leftOut)];
      return await read({ git: shadow.bare, base, tree, changes, notes, repository });
    } catch (error) {
      if (error instanceof RefusalError) throw new Failure('conflict', error.message, { cause: error });
      throw error;
    }
  }
}

interface Compared {
  readonly git: Git;
  readonly base: DiffBase;
  readonly tree: string;
  readonly changes: readonly TreeChange[];
  readonly notes: readonly string[];
  readonly repository: Repository;
}

/** What a thread's work is compared with: what was landed last, the files when it began, or where its branch began. */
export async function baseOf(
  repository: Repository,
  origin: WorkOrigin | undefined,
): Promise<DiffBase & { readonly note?: string }> {
  const { git, head } = repository;
  if (origin?.landed !== undefined && (await isAncestor(git, origin.landed)))
    return { commit: origin.landed, why: 'what was landed last' };
  if (origin?.snapshot !== undefined && (await exists(git, origin.snapshot)))
    return { commit: origin.snapshot, why: 'the files when the work began' };
  if (head.kind === 'unborn') return await headBase(repository);
  const fork = await findForkPoint(git);
  if (fork !== undefined) return await mergeBase(repository, fork);
  if (origin?.commit !== undefined && (await exists(git, origin.commit)))
    return await mergeBase(repository, {
      commit: origin.commit,
      ref: origin.branch ?? origin.commit.slice(0, 12),
    });
  return await headBase(repository);
}

async function isAncestor(git: Git, commit: string): Promise<boolean> {
  return (await git.run(['merge-base', '--is-ancestor', commit, 'HEAD'])).code === 0;
}

async function exists(git: Git, commit: string): Promise<boolean> {
  return (await git.run(['cat-file', '-e', `${commit}^{commit}`])).code === 0;
}

async function linesOf(
  { git, base, tree, changes }: Compared,
  { path, side, from, count }: ChangedLineRequest,
): Promise<ChangedFileLines> {
  const change = changes.find((each) => each.path === path);
  if (!change) throw new Failure('not_found', `The work did not change ${path}.`);
  const version = side === 'old' ? change.before : change.after;
  if (!version)
    throw new Failure('not_found', `${path} is ${side === 'old' ? 'new' : 'gone'}: it has no lines.`);
  if (described(change).binary || !version.mode.startsWith('100'))
    throw new Failure('conflict', `${path} is no text file: it has no lines to show.`);
  const { text, truncated } = await blobOf(git, version);
  if (truncated)
    throw new Failure('conflict', `${path} is too long to be shown here. Look at the file itself.`);
  return { revision: revisionOf({ base, tree }), ...pieceOf(text, { from, count, room: largestFile }) };
}

function revisionOf({ base, tree }: Pick<Compared, 'base' | 'tree'>): string {
  return `${base.commit.slice(0, 12)}-${tree.slice(0, 12)}`;
}

async function pageOf(compared: Compared, place: WorkPlace, request: ChangeRequest): Promise<ChangePage> {
  const { base, changes, notes, repository } = compared;
  const revision = revisionOf(compared);
  const first = firstOf(request.cursor, revision);
  const asked = request.path === undefined ? changes : changes.filter(({ path }) => path === request.path);
  if (request.path !== undefined && asked.length === 0)
    throw new Failure('not_found', `The work did not change ${request.path}.`);
  const { files, next } = await filesOf(compared, { asked, first, request });
  const { head } = repository;
  return {
    revision,
    base,
    ...(head.kind === 'detached' ? {} : { branch: head.branch }),
    isWorktree: place.workspace.worktree === true,
    files,
    totals: {
      files: changes.length,
      added: changes.reduce((sum, { added }) => sum + (added ?? 0), 0),
      removed: changes.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
    },
    notes: [...notes],
    ...(next === undefined ? {} : { next: `${revision}.${next}` }),
  };
}

async function filesOf(
  { git, base, tree, changes }: Compared,
  { asked, first, request }: { asked: readonly TreeChange[]; first: number; request: ChangeRequest },
): Promise<{ files: ChangedPath[]; next?: number }> {
  const { limit = defaultFiles, hunks = false } = request;
  const part = asked.slice(first, first + limit);
  const isAlone = part.length === 1;
  const patches =
    hunks && !isAlone ? await patchesOf(git, { from: base.commit, to: tree, changes }) : undefined;
  const files: ChangedPath[] = [];
  let room = largestPageBytes;
  for (const change of part) {
    let file = described(change);
    if (hunks && !file.binary) {
      const kept = patches?.get(change);
      const patch = kept === undefined ? await patchOf(git, change) : { text: kept, truncated: false };
      file = withHunks(file, patch, isAlone ? room : Math.min(room, largestFile));
    }
    const size = JSON.stringify(file).length;
    // Every page has a file, or nobody would get past it.
    if (size > room && files.length > 0) break;
    room -= size;
    files.push(file);
  }
  const end = first + files.length;
  return { files, ...(end < asked.length ? { next: end } : {}) };
}

function withHunks(
  file: ChangedPath,
  patch: { readonly text: string; readonly truncated: boolean },
  room: number,
): ChangedPath {
  const { hunks, isWhole } = readHunks(patch.text, Math.max(room, 1000));
  const mutable = hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] }));
  if (isWhole && !patch.truncated) return { ...file, hunks: mutable };
  return {
    ...file,
    hunks: mutable,
    cut: 'The change is too long to be shown whole. Look at the file itself.',
  };
}

function described({ path, from, kind, before, after, added, removed }: TreeChange): ChangedPath {
  const isSubmodule = [before, after].some((side) => side?.mode === '160000');
  const isLink = (after ?? before)?.mode === '120000';
  const isModeChanged = before !== undefined && after !== undefined && before.mode !== after.mode;
  return {
    path,
    status: kind,
    ...(from === undefined ? {} : { from }),
    kind: isSubmodule ? 'submodule' : isLink ? 'link' : 'file',
    binary: added === null && !isSubmodule,
    ...(isModeChanged ? { mode: { before: before.mode, after: after.mode } } : {}),
    added,
    removed,
  };
}

function firstOf(cursor: string | undefined, revision: string): number {
  if (cursor === undefined) return 0;
  const place = cursor.lastIndexOf('.');
  const first = Number(cursor.slice(place + 1));
  if (place < 1 || !Number.isSafeInteger(first) || first < 0)
    throw new Failure('invalid', 'This cursor is none of ours. Use the `next` of the part before.');
  if (cursor.slice(0, place) !== revision)
    throw new Failure(
      'conflict',
      'The files changed since the first part was read. Read from the first part again.',
    );
  return first;
}

function goneSentence({ path, branch }: Workspace): string {
  const kept = branch === undefined ? '' : ` What was committed is on branch ${branch}: git log ${branch}`;
  return `The workspace ${path} does not exist any more.${kept}`;
}

function leftOutNotes(leftOut: readonly LeftOut[]): string[] {
  const named = leftOut.slice(0, mostNamed).map(({ path, why }) => `${path} is left out: ${why}.`);
  const more = leftOut.length - named.length;
  return more > 0 ? [...named, `${more} more files are left out.`] : named;
}
