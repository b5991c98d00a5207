import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import type { ProjectFiles } from './project-files.js';

const mostBytesOfFile = 256 * 1024;

/** Covers every character of a pipeline. */
export function pipelineDigest(text: string): string {
  return createHash('sha256').update('pipeline').update(text).digest('hex');
}

/** A pipeline as it is now, to be shown and approved. */
export function readPipelineFile(path: string): ProjectFiles {
  const read = readBoundedFile(path, { limit: mostBytesOfFile, followLink: false });
  const file = read.ok
    ? { path: basename(path), text: read.text }
    : { path: basename(path), text: '', problem: read.error };
  return { files: [file], digest: pipelineDigest(file.text) };
}
