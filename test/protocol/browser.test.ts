import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../../src/protocol/index.ts', import.meta.url));

test('the protocol bundles for a browser without anything of Node', async () => {
  const bundles = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: true, lib: { entry, formats: ['es'], fileName: 'protocol' } },
  });
  const chunks = [bundles].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []));
  const code = chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');

  expect(chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.imports : []))).toEqual([]);
  expect(code.match(/\bnode:[a-z]+|\bprocess\.|\bBuffer\b|\brequire\(|__vite-browser-external/g)).toBeNull();
  expect(code).toContain('user_question_request');
});
