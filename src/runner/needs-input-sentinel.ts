import { lstatSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBoundedFile } from '../process/bounded-file.js';
import type { EventBody } from '../protocol/event.js';
import { NeedsInputFile, partialStateLimit } from '../protocol/needs-input.js';

// partial_state is bounded as JSON; its file may be indented and hold a question besides.
const fileLimit = 4 * partialStateLimit;

/** The file by which an agent asks and stops. The agent may be hostile: nothing is followed, nothing blocks. */
export class NeedsInputSentinel {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Removes what an earlier turn left, so that it is never taken for a signal. */
  clear(): void {
    if (folderState(this.#path) !== 'folder') return;
    rmSync(this.#path, { recursive: true, force: true });
  }

  /** The question that the turn left behind, an account of a file that is none, or null. */
  read(): EventBody<'needs_input'> | null {
    const folder = folderState(this.#path);
    if (folder === 'absent') return null;
    if (folder === 'other') return problem('.agora is not a folder of the workspace, so it is not followed');
    if (!lstatSync(this.#path, { throwIfNoEntry: false })) return null;
    const reading = readBoundedFile(this.#path, { limit: fileLimit, followLink: false });
    const event = reading.ok ? parse(reading.text) : problem(reading.error);
    if (event.error !== undefined) this.#keepAside();
    return event;
  }

  #keepAside(): void {
    try {
      renameSync(this.#path, this.#path.replace(/\.json$/, '.invalid.json'));
    } catch {
      // It stays where it is, and is cleared before the next turn.
    }
  }
}

function folderState(path: string): 'absent' | 'folder' | 'other' {
  const stat = lstatSync(dirname(path), { throwIfNoEntry: false });
  return stat === undefined ? 'absent' : stat.isDirectory() ? 'folder' : 'other';
}

function parse(text: string): EventBody<'needs_input'> {
  try {
    const parsed = NeedsInputFile.safeParse(JSON.parse(text));
    if (!parsed.success)
      return problem(
        parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
      );
    const { question, options, context, partial_state: partialState } = parsed.data;
    return {
      type: 'needs_input',
      question,
      ...(options === undefined ? {} : { options }),
      ...(context === undefined ? {} : { context }),
      ...(partialState === undefined ? {} : { partialState }),
    };
  } catch {
    return problem('it is not JSON that can be read');
  }
}

function problem(what: string): EventBody<'needs_input'> & { error: string } {
  return { type: 'needs_input', error: `The needs-input file does not count: ${what}.` };
}
