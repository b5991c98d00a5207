// Writes docs/schemas/*.json from src/protocol; with --check it only says whether they are up to date.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from '../dist/protocol/index.js';

const folder = new URL('../docs/schemas', import.meta.url).pathname;
const wanted = new Map(
  Object.entries(jsonSchemas()).map(([name, schema]) => [
    `${name}.json`,
    `${JSON.stringify(schema, null, 2)}\n`,
  ]),
);

mkdirSync(folder, { recursive: true });
const stale = [
  ...readdirSync(folder).filter((file) => !wanted.has(file)),
  ...[...wanted].filter(([file, text]) => read(join(folder, file)) !== text).map(([file]) => file),
];

if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`docs/schemas is out of date (${stale.join(', ')}): run npm run schemas and commit.`);
    process.exitCode = 1;
  }
} else {
  for (const file of stale) {
    const text = wanted.get(file);
    if (text === undefined) rmSync(join(folder, file));
    else writeFileSync(join(folder, file), text);
  }
  console.log(`docs/schemas: ${wanted.size} schemas, ${stale.length} changed`);
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
