// Writes docs/signals.json: which signals of each runtime work, as the contract suite found with its real program.
//   node scripts/signals.js            runs the suite (some minutes) and writes the file
//   node scripts/signals.js REPORT     takes vitest's JSON report of a run that is over
//   node scripts/signals.js --check    says whether the file is about the versions and the suite of today
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = new URL('../', import.meta.url).pathname;
const file = join(root, 'docs/signals.json');

/** What each signal is called, and the test of the contract that shows it. */
const signals = {
  'text and results': 'gives the whole text of each turn, and one result',
  tools: 'tells of a tool once at its start and once at its end, and counts it',
  interrupts: 'interrupts text and a command, whose processes end, and takes the next message',
  'login and limits': 'says that the login is wrong, and that the server asks for patience',
  'news of newer versions': 'keeps what a newer version says, whole',
  questions: 'asks a question and brings the answer to the model',
  approvals: 'asks before it acts: once, refused, for the thread',
  plans: 'shows a plan, and carries it out once it is approved',
  'withdrawn prompts': 'is withdrawn by an interrupt, and a late answer is refused',
  'questions in files': 'leaves a question in a file, and gets the answer as the next message',
  'ends of runs':
    'is one event: complete after a stop, shutdown after a signal, also in the middle of a command',
  'sudden death': 'of the agent by SIGKILL is told, and its session can be taken up',
  strays: 'of the runner by SIGKILL leaves strays, and the next start ends them',
};

/** Where the version of each runtime's program is pinned; the others are tested with a stand-in. */
const pins = {
  claude: () => supplied('@anthropic-ai/claude-agent-sdk', 'claudeCodeVersion'),
  codex: () => pinned('codex'),
  opencode: () => pinned('opencode'),
  'acp:gemini': () => pinned('gemini'),
  'acp:claude-agent-acp': () => pinned('claude-agent-acp'),
  'acp:codex-acp': () => pinned('codex-acp'),
  'acp:opencode': () => pinned('opencode'),
};

if (process.argv[2] === '--check') check();
else write(process.argv[2]);

function check() {
  const recorded = JSON.parse(readFileSync(file, 'utf8')).runtimes;
  const suite = readdirSync(join(root, 'src/testing'))
    .map((name) => readFileSync(join(root, 'src/testing', name), 'utf8'))
    .join('\n');
  const problems = [
    ...Object.entries(signals).flatMap(([signal, title]) =>
      suite.includes(title) ? [] : [`no test of the contract is called "${title}" (${signal})`],
    ),
    ...Object.entries(recorded).flatMap(([runtime, { version, works, fails }]) => [
      ...(version === versionOf(runtime)
        ? []
        : [`${runtime}: recorded with ${version}, tests run ${versionOf(runtime)}`]),
      ...[...works, ...fails]
        .filter((signal) => !Object.hasOwn(signals, signal))
        .map((signal) => `${runtime}: no signal is called "${signal}"`),
    ]),
    ...Object.keys(pins)
      .filter((runtime) => recorded[runtime] === undefined)
      .map((runtime) => `${runtime}: never recorded`),
  ];
  if (problems.length === 0) return;
  console.error(
    `docs/signals.json is out of date: run node scripts/signals.js and commit.\n${problems.join('\n')}`,
  );
  process.exitCode = 1;
}

/** @param {string | undefined} report */
function write(report) {
  /** @type {Record<string, { version: string | null, works: string[], fails: string[] }>} */
  const runtimes = {};
  for (const { ancestorTitles, title, status } of assertions(report)) {
    const runtime = /^the runtime (.+)$/.exec(ancestorTitles[0] ?? '')?.[1];
    const signal = Object.entries(signals).find(([, test]) => test === title)?.[0];
    if (runtime === undefined || signal === undefined || !['passed', 'failed'].includes(status)) continue;
    const entry = (runtimes[runtime] ??= { version: versionOf(runtime), works: [], fails: [] });
    (status === 'passed' ? entry.works : entry.fails).push(signal);
  }
  writeFileSync(file, `${JSON.stringify({ runtimes }, undefined, 2)}\n`);
  console.log(`docs/signals.json: ${Object.keys(runtimes).length} runtimes`);
}

/**
 * @param {string | undefined} given
 * @returns {{ ancestorTitles: string[], title: string, status: string }[]}
 */
function assertions(given) {
  const folder = mkdtempSync(join(tmpdir(), 'handraise-signals-'));
  const report = given ?? join(folder, 'report.json');
  try {
    if (given === undefined) runSuite(report);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    return testResults.flatMap((/** @type {{ assertionResults: [] }} */ result) => result.assertionResults);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} report */
function runSuite(report) {
  const args = ['vitest', 'run', 'test/contract/runtimes', '--reporter=json', `--outputFile.json=${report}`];
  try {
    execFileSync('npx', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    // A failed test is a signal that does not work, and stands in the report.
  }
}

/** @param {string} runtime */
function versionOf(runtime) {
  return Object.entries(pins).find(([name]) => name === runtime)?.[1]() ?? null;
}

/** @param {string} name */
function pinned(name) {
  const manifest = join(root, 'test/harness/runtimes', name, 'package.json');
  const [version] = Object.values(JSON.parse(readFileSync(manifest, 'utf8')).dependencies);
  return String(version);
}

/**
 * @param {string} name
 * @param {string} field
 */
function supplied(name, field) {
  const entry = createRequire(import.meta.url).resolve(name);
  return String(JSON.parse(readFileSync(join(dirname(entry), 'package.json'), 'utf8'))[field]);
}
