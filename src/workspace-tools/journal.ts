import type { z } from 'zod';
import { keepOutOfStatus } from './git-exclude.js';
import type { ToolWorkspace } from './workspace.js';
import { WorkspaceFolder } from './workspace-folder.js';

const FOLDER = '.handraise';
const MAX_BYTES = 4 * 1024 * 1024;

/** A file of facts under `.handraise/`, one JSON object per line, only ever appended to. */
export class Journal<Fact> {
  readonly #workspace: ToolWorkspace;
  readonly #file: string;
  readonly #schema: z.ZodType<Fact>;

  constructor(workspace: ToolWorkspace, { file, schema }: { file: string; schema: z.ZodType<Fact> }) {
    this.#workspace = workspace;
    this.#file = file;
    this.#schema = schema;
  }

  /** Stores a fact durably; gives a warning when the file could not be kept out of `git status`. */
  async append(fact: Fact): Promise<string | undefined> {
    await using folder = await WorkspaceFolder.create(this.#workspace.cwd, FOLDER);
    await folder.appendLine(this.#file, { line: JSON.stringify(fact), maxBytes: MAX_BYTES });
    return await keepOutOfStatus(this.#workspace, [`${FOLDER}/${this.#file}`]);
  }

  /** All facts in order; a line that is torn or not ours is left out and counted. */
  async read(): Promise<{ readonly facts: readonly Fact[]; readonly unreadable: number }> {
    await using folder = await WorkspaceFolder.open(this.#workspace.cwd, FOLDER);
    const text = (await folder?.read(this.#file, MAX_BYTES)) ?? '';
    const lines = text.split('\n');
    // What stands after the last newline is empty, or torn by a crash.
    lines.pop();
    const facts = lines.filter((line) => line !== '').map((line) => this.#schema.safeParse(parseLine(line)));
    const readable = facts.flatMap((fact) => (fact.success ? [fact.data] : []));
    return { facts: readable, unreadable: facts.length - readable.length };
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
