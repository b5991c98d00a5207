import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../protocol/failure.js';

const keyForm = /^[0-9a-f]{64}\n$/;

/** The secrets by which this home's worker and its runners know each other; all follow from one key in the home. */
export class RunSecrets {
  readonly #key: string;

  constructor(home: string) {
    this.#key = keyIn(join(home, 'run-key'));
  }

  /** The secret of one run, or of one spare runner; the same after every restart of the worker. */
  of(name: string): string {
    return createHmac('sha256', this.#key).update(name).digest('hex');
  }
}

function keyIn(file: string): string {
  const known = read(file);
  if (known !== undefined) return known;
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // Whole or not at all, and never over one that is there.
    linkSync(partial, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(partial, { force: true });
  }
  return read(file) ?? unreadable(file);
}

function read(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return keyForm.test(text) ? text.trim() : unreadable(file);
}

function unreadable(file: string): never {
  throw new Failure(
    'config',
    `${file} is damaged, and without it no running agent can be reached. Restore it, or remove it together with the agents that run.`,
  );
}
