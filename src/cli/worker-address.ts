import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../client/client.js';
import type { WorkerAddress } from '../client/connection.js';
import type { WorkerFetch } from '../client/worker-fetch.js';
import { findProcess, homeFolder } from '../compose.js';
import { WorkerFile } from '../protocol/api.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';
import { provenFetch } from './proven-fetch.js';

/**
 * The worker of a home, with its owner's token and the only way that the token goes; nothing when none is running.
 * What a worker left behind that was killed names a process that is gone.
 */
export async function workerAddress(home: string): Promise<WorkerAddress | undefined> {
  const file = join(home, 'worker.json');
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  const worker = parseWorkerFile(text, file);
  if (!findProcess(worker)) return undefined;
  const { url, pid, secret } = worker;
  if (secret === undefined)
    throw new Failure(
      'unavailable',
      `The running worker (process ${pid}) is older than this program and cannot prove who it is, so no token was sent to it. End it with: kill ${pid}. Then start the new one with: handraise up`,
    );
  const token = await readIfThere(join(home, 'token'));
  return { url, fetch: fetchFor(secret), ...(token !== undefined && { token: token.trim() }) };
}

const known = new Map<string, WorkerFetch>();

/** One for each worker, because it keeps connections that have proved themselves. */
function fetchFor(secret: string): WorkerFetch {
  const fetch = known.get(secret) ?? provenFetch(secret);
  known.set(secret, fetch);
  return fetch;
}

/** The worker that a command speaks to: the one of HANDRAISE_URL, else the one of the home. Who has a token given uses it there, too. */
export function openClient(env: NodeJS.ProcessEnv = process.env): Client {
  const { HANDRAISE_URL: url, HANDRAISE_TOKEN: token } = env;
  if (url && !URL.canParse(url))
    throw new Failure(
      'usage',
      `HANDRAISE_URL must be an address such as http://127.0.0.1:7411, not "${url}".`,
    );
  if (url) return new Client({ url, ...(token && { token }) });
  return new Client({ locate: () => locate(homeFolder(env), token) });
}

/** Whether this command speaks to a worker that is not the one of its home. */
export function isElsewhere(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env.HANDRAISE_URL);
}

function parseWorkerFile(text: string, file: string): WorkerFile {
  try {
    return WorkerFile.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure('config', `${file} is damaged. Stop the worker and delete the file.`, { cause: error });
  }
}

async function locate(home: string, token: string | undefined): Promise<WorkerAddress> {
  const address = await workerAddress(home);
  if (address) return { ...address, ...(token && { token }) };
  throw new Failure('unavailable', 'No worker is running. Start one with: handraise up');
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Failure('config', `Cannot read ${file}: ${errorSentence(error)}`, { cause: error });
  }
}
