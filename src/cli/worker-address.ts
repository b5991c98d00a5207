import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../client/client.js';
import type { WorkerAddress } from '../client/connection.js';
import { homeFolder } from '../compose.js';
import { WorkerFile } from '../protocol/api.js';
import { Failure } from '../protocol/failure.js';

/** Where the worker of a home says that it is, with its owner's token; nothing when no worker says so. */
export async function workerAddress(home: string): Promise<WorkerAddress | undefined> {
  const file = join(home, 'worker.json');
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  const { url } = parseWorkerFile(text, file);
  const token = await readIfThere(join(home, 'token'));
  return { url, ...(token !== undefined && { token: token.trim() }) };
}

/** The worker that a command speaks to: the one of HANDRAISE_URL, else the one of the home. */
export function openClient(env: NodeJS.ProcessEnv = process.env): Client {
  const { HANDRAISE_URL: url, HANDRAISE_TOKEN: token } = env;
  if (url) return new Client({ url, ...(token && { token }) });
  return new Client({ locate: () => locate(homeFolder(env)) });
}

/** Whether this command speaks to a worker that is not the one of its home. */
export function isElsewhere(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env.HANDRAISE_URL);
}

function parseWorkerFile(text: string, file: string): WorkerFile {
  try {
    return WorkerFile.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure('config', `${file} is damaged; end the worker and remove the file`, { cause: error });
  }
}

async function locate(home: string): Promise<WorkerAddress> {
  const address = await workerAddress(home);
  if (address) return address;
  throw new Failure('unavailable', 'No worker is running. Start one with: handraise up');
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Failure('config', `${file} cannot be read: ${String(error)}`, { cause: error });
  }
}
