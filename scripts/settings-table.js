// Writes the table of settings in docs/operations.md from src/cli/settings; with --check it only says whether it is up
// to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { isForProjects, Settings, settingKeys, variableOf } from '../dist/cli/settings/settings.js';

const file = new URL('../docs/operations.md', import.meta.url);
const begin = '<!-- Made by scripts/settings-table.js from src/cli/settings/settings.ts; edit there. -->';
const end = '<!-- End of the settings. -->';

const defaults = /** @type {Record<string, unknown>} */ (Settings.parse({}));
const cells = settingKeys.map((key) => [
  `\`${key}\``,
  defaults[key] === undefined ? '' : `\`${JSON.stringify(defaults[key])}\``,
  `\`${variableOf(key)}\``,
  isForProjects(key, key === 'runtime' ? 'claude' : undefined) ? 'yes' : '',
  Settings.shape[key].description ?? '',
]);
const rows = [['setting', 'default', 'environment', 'projects', 'what it is'], ...cells];
const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
const line = (/** @type {string[]} */ row) =>
  `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
const [head = [], ...body] = rows;
const table = [line(head), rule, ...body.map(line)].join('\n');

const before = readFileSync(file, 'utf8');
const start = before.indexOf(begin);
const rest = before.indexOf(end);
if (start < 0 || rest < start) throw new Error(`docs/operations.md has no place for the settings: ${begin}`);
const after = `${before.slice(0, start)}${begin}\n\n${table}\n\n${before.slice(rest)}`;
if (process.argv.includes('--check')) {
  if (before !== after) {
    console.error('docs/operations.md is out of date: run node scripts/settings-table.js and commit.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, after);
  console.log(`docs/operations.md: ${cells.length} settings, ${before === after ? 'unchanged' : 'written'}`);
}
