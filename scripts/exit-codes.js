// Writes docs/exit-codes.md from src/protocol; with --check it only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ExitCode, exitCodeTable } from '../dist/protocol/index.js';

const file = new URL('../docs/exit-codes.md', import.meta.url);

/** @type {Record<import('../dist/protocol/index.js').OrchestratorAction, string>} */
const words = {
  proceed: 'continue with the next step',
  retry: 'retry up to a maximum, then escalate',
  retry_later: 'retry later with increasing delays, then escalate',
  escalate: 'escalate to a person at once',
  stop: 'stop',
};

const rows = Object.entries(exitCodeTable).map(
  ([name, { when, action }]) =>
    `| ${ExitCode[/** @type {keyof typeof ExitCode} */ (name)]} | ${name} | ${when} | ${words[action]} |`,
);
const text = `# Exit codes

<!-- Made by scripts/exit-codes.js from src/protocol/exit-code.ts; edit there, then run npm run exit-codes. -->

Every Handraise command exits with one of these codes. \`handraise run\` and \`handraise wait\` exit with the code of the
dispatch's outcome. The outcome itself (\`--json\`) also has a \`reason\` and says whether a retry can help (\`retriable\`).

| code | name | when | what an orchestrator does |
| ---: | --- | --- | --- |
${rows.join('\n')}
`;

const isStale = !existsSync(file) || readFileSync(file, 'utf8') !== text;
if (process.argv.includes('--check')) {
  if (isStale) {
    console.error('docs/exit-codes.md is out of date: run npm run exit-codes and commit.');
    process.exitCode = 1;
  }
} else {
  if (isStale) writeFileSync(file, text);
  console.log(`docs/exit-codes.md: ${rows.length} codes, ${isStale ? 'written' : 'unchanged'}`);
}
