import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../process/files/errno.js';
import { WorkerFile } from '../protocol/api.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';
import { WorkerId } from '../protocol/id.js';
import { ProcessIdentity } from '../protocol/run.js';

// Sockets lie below it, and a socket's path is cut at 108 bytes without a word.
const longestHome = 75;

/** The private folder of a worker; made if it is not there, and closed to others. */
export function prepareHome(home: string): void {
  const length = Buffer.byteLength(home);
  if (length > longestHome)
    throw new Failure(
      'config',
      `The home ${home} has ${length} bytes; sockets below it allow ${longestHome}. Set HANDRAISE_HOME to a shorter path.`,
    );
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
  } catch (error) {
    throw new Failure(
      'config',
      `The home ${home} cannot be used: ${errorSentence(error)}. Set HANDRAISE_HOME.`,
    );
  }
}

/** Who this home's worker is; the same after every restart, so that it finds its own leases again. */
export function workerIdOf(home: string, newId: () => WorkerId): WorkerId {
  const file = join(home, 'worker-id');
  const known = WorkerId.safeParse(read(file)?.trim());
  if (known.success) return known.data;
  const id = newId();
  write(file, `${id}\n`);
  return id;
}

/** Says which process holds the home, from the moment at which it does; so one that hangs can be named and ended. */
export function recordHolder(home: string, holder: ProcessIdentity): void {
  write(join(home, 'holder.json'), `${JSON.stringify(holder)}\n`);
}

/** Whose the home is: this process's, another's, or nobody's, because it was deleted. What cannot be read says nothing. */
export function homeHolder(home: string, { pid, startTime }: ProcessIdentity): 'us' | 'another' | 'deleted' {
  try {
    const holder = ProcessIdentity.parse(JSON.parse(readFileSync(join(home, 'holder.json'), 'utf8')));
    return holder.pid === pid && holder.startTime === startTime ? 'us' : 'another';
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'deleted' : 'us';
  }
}

/** Tells clients of this home where its worker is, until it is disposed of. */
export function announce(home: string, worker: WorkerFile): Disposable {
  const file = join(home, 'worker.json');
  write(file, `${JSON.stringify(worker, undefined, 2)}\n`);
  return {
    [Symbol.dispose]: () => {
      const present = WorkerFile.safeParse(JSON.parse(read(file) ?? 'null'));
      // A newer worker may have written its own by now.
      if (present.success && present.data.pid === worker.pid) rmSync(file, { force: true });
    },
  };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whole or not at all, because somebody may read it at any moment. */
function write(file: string, text: string): void {
  const partial = `${file}.new`;
  writeFileSync(partial, text, { mode: 0o600 });
  renameSync(partial, file);
}
