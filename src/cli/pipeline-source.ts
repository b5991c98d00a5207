import { resolve } from 'node:path';
import { readBoundedFile } from '../process/files/bounded-file.js';
import { Failure } from '../protocol/failure.js';

const largestFile = 256 * 1024;

/** What the file of a pipeline holds, and its whole path. */
export function readPipelineSource(name: string): { readonly file: string; readonly source: string } {
  const file = resolve(name);
  const read = readBoundedFile(file, { limit: largestFile, followLink: true });
  if (read.ok) return { file, source: read.text };
  throw read.missing
    ? new Failure('missing_file', `There is no file ${file}.`)
    : new Failure('invalid', `${file} cannot be read: ${read.error}.`);
}
