import { readdir } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Where a guard looks. */
export interface Guarded {
  /** The home of the test itself, which only its own processes have (private-places.ts). */
  readonly home: string;
  /** Folders that all agents of a machine share. */
  readonly shared: readonly string[];
}

/**
 * Finds what the processes of a stage wrote outside of it, and accuses nobody else: in the test's own home everything
 * that is new is ours, and in a folder that others share only what bears the name of the stage.
 */
export class HomeGuard {
  readonly #guarded: Guarded;
  readonly #stage: string;
  readonly #before: ReadonlySet<string>;

  private constructor(guarded: Guarded, stage: string, before: ReadonlySet<string>) {
    this.#guarded = guarded;
    this.#stage = stage;
    this.#before = before;
  }

  static async over(stage: string, guarded: Partial<Guarded> = {}): Promise<HomeGuard> {
    const all = { home: homedir(), shared: sharedFolders(), ...guarded };
    return new HomeGuard(all, stage, new Set(await list(all.home, { recursive: true })));
  }

  /** The paths that were not there before. */
  async created(): Promise<string[]> {
    const { home, shared } = this.#guarded;
    const own = (await list(home, { recursive: true })).filter((path) => !this.#before.has(path));
    const others = await Promise.all(shared.map((folder) => list(folder, { recursive: false })));
    return [...own, ...others.flat().filter((path) => path.includes(this.#stage))].toSorted();
  }
}

// Claude Code makes a folder for each workspace and names it after the workspace's path: below its temporary folder,
// which is /tmp when neither CLAUDE_CODE_TMPDIR nor TMPDIR reaches it, and below the home that the system knows.
function sharedFolders(): string[] {
  const { uid, homedir: home } = userInfo();
  return [`/tmp/claude-${uid}`, '/tmp/claude', join(home, '.claude/projects')];
}

async function list(folder: string, { recursive }: { recursive: boolean }): Promise<string[]> {
  try {
    return (await readdir(folder, { recursive })).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
