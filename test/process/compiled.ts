import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';

const source = new URL('../../src/process/', import.meta.url);

/** The process folder as JavaScript in a directory of its own, for tests that need it in another process. */
export async function compileProcessFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'handraise-process-'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  for (const name of (await readdir(source)).filter((entry) => entry.endsWith('.ts'))) {
    const { code } = await transformWithOxc(await readFile(new URL(name, source), 'utf8'), name);
    await writeFile(join(directory, name.replace(/\.ts$/, '.js')), code);
  }
  return directory;
}
