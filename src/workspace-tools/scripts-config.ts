import { z } from 'zod';
import { RefusalError } from '../process/files/refusal.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { ScriptsConfig } from '../protocol/scripts-config.js';
import type { ToolWorkspace } from './workspace.js';
import { WorkspaceFolder } from './workspace-folder.js';

const MAX_BYTES = 256 * 1024;
const FILE = 'config.json';

/** A file with scripts as it stands in a workspace. */
export interface ScriptsFile {
  readonly folder: '.handraise' | '.chatml';
  readonly path: string;
  readonly text: string;
}

/** The project's scripts and the file they stand in; undefined when it has neither file. */
export async function readScriptsConfig(
  workspace: ToolWorkspace,
): Promise<{ readonly path: string; readonly config: ScriptsConfig } | undefined> {
  const file = await readScriptsFile(workspace);
  return file && { path: file.path, config: parseConfig(file.text, file.path) };
}

/** The file that counts, whatever it holds. */
export async function readScriptsFile(workspace: ToolWorkspace): Promise<ScriptsFile | undefined> {
  for (const folder of ['.handraise', '.chatml'] as const) {
    await using opened = await WorkspaceFolder.open(workspace.cwd, folder);
    const text = await opened?.read(FILE, MAX_BYTES);
    if (text !== undefined) return { folder, path: `${folder}/${FILE}`, text };
  }
  return undefined;
}

/** Saves a file with scripts in place of the one that was read; refuses when somebody else was there in between. */
export async function saveScriptsFile(
  workspace: ToolWorkspace,
  { before, folder, text }: { before: ScriptsFile | undefined; folder: ScriptsFile['folder']; text: string },
): Promise<void> {
  const now = await readScriptsFile(workspace);
  if (now?.path !== before?.path || now?.text !== before?.text)
    throw new RefusalError(
      `${folder}/${FILE} has changed since the proposal was made, and is left as it is. Propose again.`,
    );
  await using opened = await WorkspaceFolder.create(workspace.cwd, folder);
  await opened.replace(FILE, { text, beside: `.${FILE}.${workspace.newId()}` });
}

/** The text of a file with scripts once a proposal is in it; what it says besides stays as it is. */
export function proposedText(before: string | undefined, proposal: Partial<ScriptsConfig>): string {
  const text = `${JSON.stringify({ ...fieldsIn(before), ...proposal }, undefined, 2)}\n`;
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new RefusalError(`The file would be larger than ${MAX_BYTES} bytes. Propose less.`);
  return text;
}

// A proposal may be the repair of a file that cannot be used; nothing of such a file is kept.
function fieldsIn(text: string | undefined): object {
  try {
    const parsed = ScriptsConfig.safeParse(JSON.parse(text ?? '{}'));
    return parsed.success ? z.record(z.string(), z.unknown()).parse(JSON.parse(text ?? '{}')) : {};
  } catch {
    return {};
  }
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
