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
    plugins: [withoutJsonSchemas],
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      assetsDir: 'assets',
      // The policy of the server allows no data: script or style, and a font or picture is none of ours.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // Some libraries say for servers that they are for clients; everything here is.
        onLog: (level, log, report) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
        },
        output: {
          codeSplitting: {
            groups: [
              // Home compares nothing; what shares a file with other code would be loaded there.
              { name: 'diff', test: /node_modules[\\/]diff[\\/]/ },
              // What every page loads is one file, which compresses better than forty: 17 kB less.
              { name: 'first', tags: ['$initial'] },
            ],
          },
        },
      },
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

/**
 * Every schema of zod brings what writes it as a JSON Schema, which the console never does: 7 kB of what home loads.
 * @type {import('vite').Plugin}
 */
const withoutJsonSchemas = {
  name: 'without-json-schemas',
  load(id) {
    if (!/[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/.test(id)) return null;
    const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(
      ([, name]) => name,
    );
    return `const none = () => () => { throw new Error('There are no JSON Schemas in the console.'); };
export { ${names.map((name) => `none as ${name}`).join(', ')} };`;
  },
};

/** The server hands these out to whoever takes them: done once, and not for each visit. @param {string} path */
function compress(path) {
  const whole = readFileSync(path);
  if (whole.length < smallFile) {
    // A build before this one may have found it larger.
    for (const ending of ['gz', 'br']) rmSync(`${path}.${ending}`, { force: true });
    return;
  }
  writeFileSync(`${path}.gz`, gzipSync(whole, { level: constants.Z_BEST_COMPRESSION }));
  writeFileSync(`${path}.br`, brotliCompressSync(whole));
}

/** @param {{ fileName: string }} file */
function nameOf({ fileName }) {
  return fileName;
}
