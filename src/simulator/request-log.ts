import { type FileHandle, open } from 'node:fs/promises';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';
import type { RecordedRequest } from './recorded-request.js';

/** A file that gets one JSON line for each request once it is over. */
export class RequestLog implements AsyncDisposable {
  readonly #file: FileHandle;
  #written: Promise<unknown> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<RequestLog> {
    try {
      return new RequestLog(await open(path, 'a'));
    } catch (error) {
      throw new Failure('missing_file', `Cannot write the log ${path}: ${errorSentence(error)}`, {
        cause: error,
      });
    }
  }

  append(request: RecordedRequest): void {
    const line = `${JSON.stringify(request)}\n`;
    this.#written = this.#written.then(() => this.#file.appendFile(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#written;
    await this.#file.close();
  }
}
