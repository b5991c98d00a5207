// Says which rows of docs/runner-protocol.md no test names, and which events and commands the page forgot.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const [page = join(root, 'docs/runner-protocol.md'), tests = join(root, 'test/runner')] =
  process.argv.slice(2);

// The first column's heading says what a table's rows are.
const kinds = new Map([
  ['argument', 'arg'],
  ['mode', 'mode'],
  ['preset', 'preset'],
  ['stat', 'stat'],
  ['server', 'mcp'],
  ['tool', 'tool'],
  ['end', 'end'],
  ['exit', 'exit'],
  ['frame', 'frame'],
]);

const rows = tableRows(readFileSync(page, 'utf8'));
const named = testTitles(tests);
const untested = rows
  .filter(({ label, later }) => !later && !named.includes(label))
  .map(({ label }) => label);
const written = new Set(rows.map(({ label }) => label));
const forgotten = [...schemaTypes('event'), ...schemaTypes('command')].filter((label) => !written.has(label));

for (const label of untested) console.error(`${label} has no test in test/runner that names it`);
for (const label of forgotten) console.error(`${label} is in docs/schemas and not on the page`);
console.log(
  `runner protocol: ${rows.length} rows, ${untested.length} untested, ${forgotten.length} forgotten`,
);
process.exitCode = untested.length + forgotten.length > 0 ? 1 : 0;

/**
 * Every row that begins with a name in code, as `[kind name]`.
 * @param {string} markdown
 */
function tableRows(markdown) {
  /** @type {{ label: string, later: boolean }[]} */
  const found = [];
  let kind = '';
  let section = '';
  for (const line of markdown.split('\n')) {
    section = /^## (.*)/.exec(line)?.[1] ?? section;
    const [, first = '', rest = ''] = /^\| *([^|]*?) *\|(.*)\|$/.exec(line) ?? [];
    const name = /^`([^`]+)`$/.exec(first)?.[1];
    if (name === undefined) {
      if (first === 'type') kind = section === 'Commands' ? 'command' : 'event';
      else if (/^[a-z]/.test(first)) kind = kinds.get(first) ?? '';
      continue;
    }
    if (kind !== '') found.push({ label: `[${kind} ${name}]`, later: rest.includes('**later**') });
  }
  return found;
}

/** @param {string} folder */
function testTitles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

/**
 * The types that a schema knows, as `[kind name]`.
 * @param {'event' | 'command'} kind
 */
function schemaTypes(kind) {
  const text = readFileSync(join(root, `docs/schemas/${kind}.json`), 'utf8');
  /** @type {{ anyOf: { properties: { type: { const: string } } }[] }} */
  const { anyOf } = JSON.parse(text);
  return anyOf.map(({ properties }) => `[${kind} ${properties.type.const}]`);
}
