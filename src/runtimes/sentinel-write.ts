import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { outsidePath } from '../domain/container/container-arguments.js';
import { needsInputPath } from '../protocol/needs-input.js';
import type { Launch } from './runtime.js';

/**
 * Whether a Write goes to exactly the needs-input file of this workspace. The path is compared as the file
 * system sees it: a link in place of `.agora` or of the file would lead the permitted write elsewhere.
 */
export function isSentinelWrite(
  { cwd, container }: Pick<Launch, 'cwd' | 'container'>,
  filePath: unknown,
): boolean {
  if (typeof filePath !== 'string') return false;
  const sentinel = join(real(cwd), needsInputPath);
  const wanted = resolve(cwd, container ? outsidePath(cwd, filePath) : filePath);
  if (join(real(dirname(dirname(wanted))), '.agora', 'needs_input.json') !== sentinel) return false;
  if (!wanted.endsWith(`/${needsInputPath}`)) return false;
  return !isLink(dirname(sentinel)) && !isLink(sentinel);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
