// Writes the table in docs/runtimes.md from what the adapters declare; with --check it only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadProfiles } from '../dist/compose.js';

const file = new URL('../docs/runtimes.md', import.meta.url);
const begin = '<!-- Made by scripts/runtimes-table.js from the capabilities of each adapter; edit there. -->';
const end = '<!-- End of the table. -->';

/** What each capability means to whoever reads the table. */
const words = {
  resume: 'continues a session after its process has ended',
  fork: 'continues a copy of a session (fork)',
  questions: 'asks a question and waits for the answer',
  approvals: 'asks before it acts',
  plans: 'proposes a plan and waits for approval',
  editedInput: 'accepts an approval with changed input',
  denyWithMessage: 'tells the model why an action was denied',
  defers: 'prompts that can be deferred while the agent sleeps; others are parked by an interrupt',
  checkpoints: 'restores earlier states of files (checkpoints)',
  structuredOutput: 'returns a result that matches a JSON Schema',
  permissionModes: 'permission modes',
  toolPresets: 'tool presets',
  limits: 'limits',
  commands: 'additional commands',
};

// What is true of any other agent that speaks ACP stands in the column of acp:NAME.
const profiles = await loadProfiles({ NAME: { command: 'NAME', loadsProjectCode: true } });
const rows = [
  ['', ...profiles.map(({ name }) => `\`${name}\``)],
  ...Object.entries(words).map(([name, meaning]) => [
    meaning,
    ...profiles.map(({ capabilities }) => shown(new Map(Object.entries(capabilities)).get(name))),
  ]),
];
for (const { name, capabilities } of profiles) {
  const untold = Object.keys(capabilities).filter((each) => !Object.hasOwn(words, each));
  if (untold.length > 0) throw new Error(`${name}: say in this script what ${untold.join(', ')} means`);
}

const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
const line = (/** @type {string[]} */ row) =>
  `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
const [head = [], ...body] = rows;
const table = [line(head), rule, ...body.map(line)].join('\n');

const before = readFileSync(file, 'utf8');
const start = before.indexOf(begin);
const rest = before.indexOf(end);
if (start < 0 || rest < start) throw new Error(`docs/runtimes.md has no place for the table: ${begin}`);
const after = `${before.slice(0, start)}${begin}\n\n${table}\n\n${before.slice(rest)}`;
if (process.argv.includes('--check')) {
  if (before !== after) {
    console.error('docs/runtimes.md is out of date: run node scripts/runtimes-table.js and commit.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, after);
  console.log(`docs/runtimes.md: ${profiles.length} runtimes, ${before === after ? 'unchanged' : 'written'}`);
}

/** @param {unknown} value */
function shown(value) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Array.isArray(value) || value.length === 0) return 'none';
  return value.map((each) => `\`${each}\``).join(', ');
}
