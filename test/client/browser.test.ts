import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

test('the client bundles for a browser without anything of Node', async () => {
  const bundles = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('../../src/client/index.ts', import.meta.url)),
        formats: ['es'],
        fileName: 'client',
      },
    },
  });
  const outputs = [bundles].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []));
  const chunks = outputs.filter((output) => output.type === 'chunk');

  expect(chunks.flatMap(({ imports }) => imports)).toEqual([]);
  expect(chunks.map(({ code }) => code).join('')).not.toMatch(
    /\bnode:[a-z]+|\bBuffer\b|\brequire\(|__vite-browser-external/,
  );
});
