import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A file in some room that imports one thing. */
export interface PlantedImport {
  readonly file: string;
  readonly specifier: string;
}

const Report = z.object({
  diagnostics: z.array(z.object({ filename: z.string(), code: z.string() })),
});

/** Writes every file into a scratch layout with the real lint rules; gives those that the rules caught. */
export async function caughtBy(planted: readonly PlantedImport[]): Promise<string[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'handraise-imports-'));
  try {
    await cp(join(root, '.oxlintrc.json'), join(scratch, '.oxlintrc.json'));
    for (const { file, specifier } of planted) {
      await mkdir(dirname(join(scratch, file)), { recursive: true });
      await writeFile(join(scratch, file), `export * from '${specifier}';\n`);
    }
    await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'));
    const { diagnostics } = Report.parse(JSON.parse(await lint(scratch)));
    return diagnostics
      .filter(({ code }) => code === 'eslint(no-restricted-imports)')
      .map(({ filename }) => filename)
      .toSorted();
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function lint(cwd: string): Promise<string> {
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  return await new Promise((resolve) => {
    // Its exit code says that something was caught, which is what is wanted here.
    execFile(oxlint, ['--format=json', 'src'], { cwd, maxBuffer: 2 ** 26 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}
