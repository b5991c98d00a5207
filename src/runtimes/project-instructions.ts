import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readBoundedFile } from '../process/files/bounded-file.js';
import { listTree } from '../process/files/folder-tree.js';

const mostBytesOfFile = 128 * 1024;
const mostBytes = 256 * 1024;
const mostFiles = 100;
const deepestImport = 5;
const ruleBounds = { entries: 200, depth: 4 };

/** A file that only instructs. */
interface InstructionFile {
  readonly path: string;
  readonly text: string;
}

/** Which files of a folder instruct an agent, and whether they may import others with `@path`. */
export interface InstructionNames {
  /** Of each list, the first that is there. */
  readonly files: readonly (readonly string[])[];
  readonly folders: readonly string[];
  readonly imports: boolean;
}

/**
 * Reads what a project tells its agents, as text: such files start nothing, so they need no approval. They are a
 * repository's own, so nothing outside of the project is read, and not more than an agent can bear.
 */
export class ProjectInstructions {
  /** What was left out, and why. */
  readonly problems: string[] = [];
  readonly #cwd: string;
  readonly #top: string;
  readonly #names: InstructionNames;
  readonly #read = new Set<string>();
  #left = mostBytes;

  constructor(cwd: string, names: InstructionNames) {
    this.#cwd = realpathSync(cwd);
    this.#top = projectTop(this.#cwd);
    this.#names = names;
  }

  /** What holds for the whole of the work: from the top of the project down to the folder of the work. */
  forWork(): string | undefined {
    return textOf(foldersBetween(this.#top, this.#cwd).flatMap((folder) => this.#in(folder)));
  }

  /** What holds in the folders around a file below the folder of the work, as far as it was not told before. */
  forFile(file: string): string | undefined {
    const folder = resolve(this.#cwd, dirname(file));
    if (!isInside(folder, this.#cwd) || !existsSync(folder)) return undefined;
    return textOf(foldersBetween(this.#cwd, folder).flatMap((each) => this.#in(each)));
  }

  #in(folder: string): InstructionFile[] {
    const files = this.#names.files.flatMap((names) => {
      const first = names.find((name) => existsSync(join(folder, name)));
      return first === undefined ? [] : [join(folder, first)];
    });
    const rules = this.#names.folders.flatMap((name) =>
      listTree(join(folder, name), ruleBounds)
        .filter(({ path, problem }) => problem === undefined && path.endsWith('.md'))
        .map(({ path }) => join(folder, name, path)),
    );
    return [...files, ...rules].flatMap((file) => this.#file(file, 0));
  }

  #file(file: string, depth: number): InstructionFile[] {
    const path = realPath(file);
    if (path === null || this.#read.has(path)) return [];
    this.#read.add(path);
    const name = relative(this.#cwd, file) || file;
    if (!isInside(path, this.#top)) return this.#leftOut(name, 'it lies outside of the project');
    if (this.#read.size > mostFiles)
      return this.#leftOut(name, `there are more than ${mostFiles} such files`);
    const read = readBoundedFile(path, { limit: mostBytesOfFile, followLink: false });
    if (!read.ok) return read.missing ? [] : this.#leftOut(name, read.error);
    const bytes = Buffer.byteLength(read.text);
    if (bytes > this.#left)
      return this.#leftOut(name, `such files together are larger than ${mostBytes} bytes`);
    this.#left -= bytes;
    const imported =
      this.#names.imports && depth < deepestImport
        ? importsIn(read.text).map((target) => resolve(dirname(path), target))
        : [];
    return [{ path: name, text: read.text }, ...imported.flatMap((each) => this.#file(each, depth + 1))];
  }

  #leftOut(name: string, why: string): InstructionFile[] {
    this.problems.push(`${name} is left out of the agent's instructions: ${why}.`);
    return [];
  }
}

/** The paths that a text imports; not those in code, and none of a home folder. */
export function importsIn(text: string): string[] {
  const prose = text.replaceAll(/^(```|~~~)[^]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/(?:^|\s)@((?:\.{0,2}\/)?[\w.-][\w./-]*)/g)]
    .map(([, path = '']) => withoutFullStops(path))
    .filter((path) => /[./]/.test(path));
}

/** By hand, because a pattern that ends with `$` tries again from every full stop. */
function withoutFullStops(path: string): string {
  let end = path.length;
  while (path[end - 1] === '.') end -= 1;
  return path.slice(0, end);
}

function textOf(files: readonly InstructionFile[]): string | undefined {
  if (files.length === 0) return undefined;
  return files
    .map(({ path, text }) => `Instructions of the project, from ${path}:\n\n${text.trim()}`)
    .join('\n\n');
}

/** The folders from one down to another, the upper one first. */
export function foldersBetween(upper: string, lower: string): string[] {
  return lower === upper || dirname(lower) === lower
    ? [lower]
    : [...foldersBetween(upper, dirname(lower)), lower];
}

/** The folder of the work tree around a folder; without git, the folder itself. */
export function projectTop(cwd: string): string {
  for (let top = cwd; ; top = dirname(top)) {
    if (existsSync(join(top, '.git'))) return top;
    if (dirname(top) === top) return cwd;
  }
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
