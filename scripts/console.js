// Builds the web console into dist/web: an index.html, and files whose names change with their content.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

// Less than that fits into one packet.
const smallFile = 1400;

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
  for (const file of written) compress(join(outDir, file));
}

/** The server hands these out to whoever takes them: done once, and not for each visit. @param {string} path */
function compress(path) {
  const whole = readFileSync(path);
  if (whole.length < smallFile) return;
  writeFileSync(`${path}.gz`, gzipSync(whole, { level: constants.Z_BEST_COMPRESSION }));
  writeFileSync(`${path}.br`, brotliCompressSync(whole));
}

/** @param {{ fileName: string }} file */
function nameOf({ fileName }) {
  return fileName;
}
