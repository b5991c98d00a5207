import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';
import { parseScript, type Script } from './script.js';

/** Reads a script from a JSON or YAML file, by its ending. */
export async function readScriptFile(path: string): Promise<Script> {
  const text = await read(path);
  return parseScript(await parse(path, text), path);
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Failure('missing_file', `Cannot read the script ${path}: ${errorSentence(error)}`, {
      cause: error,
    });
  }
}

async function parse(path: string, text: string): Promise<unknown> {
  try {
    if (extname(path) === '.json') return JSON.parse(text);
    const yaml = await import('yaml');
    return yaml.parse(text);
  } catch (error) {
    throw new Failure('invalid', `${path}: ${errorSentence(error)}`, { cause: error });
  }
}
