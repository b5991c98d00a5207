import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { errorSentence } from '../../protocol/error-sentence.js';

/** What came of editing: another input, the same one, or why it cannot be used. */
export type Edited =
  | { readonly kind: 'edited'; readonly input: Record<string, unknown> }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unusable'; readonly why: string };

const Input = z.record(z.string(), z.unknown());

/** Opens the input of an action in the person's editor, which has the terminal meanwhile. */
export async function editedInput(
  input: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Edited> {
  const folder = await mkdtemp(join(tmpdir(), 'handraise-edit-'));
  const file = join(folder, 'input.json');
  try {
    const before = `${JSON.stringify(input, undefined, 2)}\n`;
    await writeFile(file, before, { mode: 0o600 });
    const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
    // Through a shell, because an editor may be set with arguments, as in "code --wait".
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    const [code, signal] = await once(child, 'exit');
    // A Ctrl-C that the editor does not take ends it.
    if (code === null) return { kind: 'unusable', why: `${editor} was ended by ${String(signal)}` };
    if (code !== 0) return { kind: 'unusable', why: `${editor} failed with exit code ${String(code)}` };
    const after = await readFile(file, 'utf8');
    return after === before ? { kind: 'unchanged' } : read(after);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function read(text: string): Edited {
  try {
    const parsed = Input.safeParse(JSON.parse(text));
    if (parsed.success) return { kind: 'edited', input: parsed.data };
    return { kind: 'unusable', why: 'What you wrote is not a JSON object' };
  } catch (error) {
    const why = errorSentence(error);
    return { kind: 'unusable', why: `What you wrote is not valid JSON (${why})` };
  }
}
