import { SentinelFile } from '../process/files/sentinel-file.js';
import type { EventBody } from '../protocol/event.js';
import { needsInputFileLimit, readNeedsInput } from '../protocol/needs-input.js';

/** The file by which an agent asks and stops. */
export class NeedsInputSentinel {
  readonly #file: SentinelFile;

  constructor(path: string) {
    this.#file = new SentinelFile(path, { limit: needsInputFileLimit });
  }

  /** Removes what an earlier turn left, so that it is never taken for a signal. */
  clear(): void {
    this.#file.clear();
  }

  /** The question that the turn left behind, an account of a file that is none, or null. */
  read(): EventBody<'needs_input'> | null {
    const text = this.#file.read();
    if (!text) return null;
    const event = readNeedsInput(text);
    if (event.error !== undefined) this.#file.renameAsInvalid();
    return event;
  }
}
