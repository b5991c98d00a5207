// Builds the web console into dist/web: an index.html, and files whose names change with their content.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** @param {string} root */
export async function buildConsole(root) {
  // Vite looks here to choose between the two builds of React, and tests run with another value.
  process.env['NODE_ENV'] = 'production';
  const outDir = join(root, 'dist/web');
  const built = await build({
    configFile: false,
    root: join(root, 'src/web'),
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      assetsDir: 'assets',
      // The policy of the server allows no data: script or style, and a font or picture is none of ours.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
  // Afterwards, so that a page that is loaded meanwhile finds one whole set of files or the other.
  const written = new Set(
    [built].flat().flatMap((each) => ('output' in each ? each.output : []).map(nameOf)),
  );
  for (const file of readdirSync(join(outDir, 'assets')))
    if (!written.has(`assets/${file}`)) rmSync(join(outDir, 'assets', file));
}

/** @param {{ fileName: string }} file */
function nameOf({ fileName }) {
  return fileName;
}
