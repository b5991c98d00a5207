import { z } from 'zod';
import { RefusalError } from '../process/files/refusal.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { ScriptsConfig } from '../protocol/scripts-config.js';
import type { ToolWorkspace } from './workspace.js';
import { WorkspaceFolder } from './workspace-folder.js';

const MAX_BYTES = 256 * 1024;
const FILE = 'config.json';

/** The project's scripts and the file they stand in; undefined when it has neither file. */
export async function readScriptsConfig(
  workspace: ToolWorkspace,
): Promise<{ readonly path: string; readonly config: ScriptsConfig } | undefined> {
  for (const name of ['.handraise', '.chatml']) {
    await using folder = await WorkspaceFolder.open(workspace.cwd, name);
    const text = await folder?.read(FILE, MAX_BYTES);
    const path = `${name}/${FILE}`;
    if (text !== undefined) return { path, config: parseConfig(text, path) };
  }
  return undefined;
}

function parseConfig(text: string, path: string): ScriptsConfig {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new RefusalError(`${path} is not JSON: ${errorSentence(error)}`);
  }
  const parsed = ScriptsConfig.safeParse(json);
  if (!parsed.success)
    throw new RefusalError(`${path} is not a scripts config:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
