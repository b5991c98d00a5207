// Writes docs/openapi.json from the routes of src/http; with --check it only says whether it is up to date.
// Another file may be named: node scripts/openapi.js --check FILE
import { readFileSync, writeFileSync } from 'node:fs';
import { api } from '../dist/http/api.js';
import { openapiDocument } from '../dist/http/openapi.js';

const isCheck = process.argv.includes('--check');
const named = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const file = named ?? new URL('../docs/openapi.json', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const text = `${JSON.stringify(openapiDocument(api, version), null, 2)}\n`;

if (!isCheck) {
  writeFileSync(file, text);
  console.log('docs/openapi.json is written');
} else if (read() !== text) {
  console.error('docs/openapi.json is out of date: run node scripts/openapi.js and commit.');
  process.exitCode = 1;
}

function read() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
