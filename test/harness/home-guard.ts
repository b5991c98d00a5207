import { readdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

// Where the runtimes write when nobody tells them otherwise; the user's other folders belong to others.
const runtimeFolders = [
  '.claude',
  '.codex',
  '.gemini',
  '.opencode',
  '.config/opencode',
  '.local/share/opencode',
  '.local/state/opencode',
  '.cache/opencode',
];

/** Remembers what lies in a user's home, so that what a runtime adds there can be named. */
export class HomeGuard {
  readonly #home: string;
  readonly #before: ReadonlySet<string>;

  private constructor(home: string, before: ReadonlySet<string>) {
    this.#home = home;
    this.#before = before;
  }

  static async over(home = homedir()): Promise<HomeGuard> {
    return new HomeGuard(home, await entries(home));
  }

  /** The paths that were not there before. */
  async created(): Promise<string[]> {
    const now = await entries(this.#home);
    return [...now].filter((path) => !this.#before.has(path)).toSorted();
  }
}

async function entries(home: string): Promise<Set<string>> {
  const found = await Promise.all([
    list(home, { recursive: false }),
    ...runtimeFolders.map((folder) => list(join(home, folder), { recursive: true })),
    list(join(tmpdir(), `claude-${process.getuid?.() ?? 0}`), { recursive: false }),
    list(join(tmpdir(), 'cc-socks'), { recursive: false }),
  ]);
  return new Set(found.flat());
}

async function list(folder: string, { recursive }: { recursive: boolean }): Promise<string[]> {
  try {
    return (await readdir(folder, { recursive })).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
