// Says which rows of docs/runner-protocol.md no test names, and which events, commands and fields the page forgot.
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

// In every event or command, and said once for all of them.
const commonFields = new Set(['type', 'timestamp', 'runSeq', 'commandId']);

const markdown = readFileSync(page, 'utf8');
const rows = tableRows(markdown);
const named = testTitles(tests);
const untested = rows
  .filter(({ label, later }) => !later && !named.includes(label))
  .map(({ label }) => label);
const forgotten = [...schemaTypes('event'), ...schemaTypes('command')].flatMap(({ label, fields }) => {
  const row = rows.find((one) => one.label === label);
  if (!row) return [label];
  // A result has so many fields that the page gives them a table of their own.
  const text = label === '[event result]' ? markdown : row.text;
  return fields.filter((field) => !mentions(text, field)).map((field) => `${label} ${field}`);
});

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
  /** @type {{ label: string, text: string, later: boolean }[]} */
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
    if (kind !== '')
      found.push({ label: `[${kind} ${name}]`, text: rest, later: rest.includes('**later**') });
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
 * The types that a schema knows, as `[kind name]`, with their fields.
 * @param {'event' | 'command'} kind
 */
function schemaTypes(kind) {
  const text = readFileSync(join(root, `docs/schemas/${kind}.json`), 'utf8');
  /** @type {{ anyOf: { properties: Record<string, { const?: string }> }[] }} */
  const { anyOf } = JSON.parse(text);
  return anyOf.map(({ properties }) => ({
    label: `[${kind} ${properties['type']?.const}]`,
    fields: Object.keys(properties).filter((field) => !commonFields.has(field)),
  }));
}

/**
 * @param {string} text
 * @param {string} field
 */
function mentions(text, field) {
  return new RegExp(`[\`| ]${field}\\b`).test(text);
}
