import { type Command, Option } from 'commander';
import { money } from '../../domain/words/money.js';
import { resourceWords } from '../../domain/words/resource-words.js';
import type { UsageReport } from '../../protocol/api.js';
import { given } from '../../protocol/given.js';
import type { ResourceReport } from '../../protocol/resource-use.js';
import { readyClient } from '../background-worker.js';
import { lineWidth, seenJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { tableLines } from '../terminal/table.js';

/** `handraise usage`: tokens and money, summed. */
export function addUsageCommand(program: Command): void {
  program
    .command('usage')
    .summary('show tokens, costs, processor time and memory')
    .description(
      'Shows how many tokens work has used and what it cost, and how much processor time and memory its agents had, by day, runtime, ' +
        'thread, or the status in which it fell. A cost that the runtime does not tell is not counted, and what was used in a status that is ' +
        'only guessed is under "unknown". What removed threads used is kept by day, runtime and status.',
    )
    .addOption(
      new Option('--by <what>', 'what to sum by')
        .choices(['day', 'runtime', 'thread', 'status'])
        .default('day'),
    )
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise usage\n  $ handraise usage --by status\n')
    .action(usage);
}

interface UsageOptions {
  readonly by: 'day' | 'runtime' | 'thread' | 'status';
  readonly json?: true;
}

async function usage({ by, json }: UsageOptions): Promise<void> {
  const reports = await (await readyClient()).usage(by);
  if (json) return writeLine(seenJson({ usage: reports }));
  if (reports.length === 0) return writeMessage('Nothing was used yet.');
  const columns = [
    { header: by.toUpperCase() },
    { header: 'TOKENS IN' },
    { header: 'TOKENS OUT' },
    { header: 'COST' },
    { header: 'AGENT TIME' },
    { header: 'CPU' },
    { header: 'MEMORY' },
    { header: 'PEAK' },
  ];
  const rows = [...reports, total(reports)].map(({ key, usage: used, resources }) =>
    [
      key,
      String(used.inputTokens),
      String(used.outputTokens),
      money(used.costUsd),
      ...resourceWords(resources),
    ].map((text) => ({ text })),
  );
  const { dim } = coloursOf(process.stdout);
  const lines = tableLines(columns, rows, { width: lineWidth(process.stdout), paintHeader: dim });
  for (const line of lines) writeLine(line);
}

/** Only costs that are known are summed. */
function total(reports: readonly UsageReport[]): UsageReport {
  const known = reports.flatMap(({ usage: { costUsd } }) => costUsd ?? []);
  return {
    key: 'total',
    usage: {
      inputTokens: sum(reports.map(({ usage: { inputTokens } }) => inputTokens)),
      outputTokens: sum(reports.map(({ usage: { outputTokens } }) => outputTokens)),
      costUsd: known.length === 0 ? null : sum(known),
    },
    ...given({ resources: totalResources(reports.flatMap(({ resources }) => resources ?? [])) }),
  };
}

/** Memory is the mean over the time of all agents, so one that was there for long counts for more. */
function totalResources(all: readonly ResourceReport[]): ResourceReport | undefined {
  const aliveSeconds = sum(all.map((one) => one.aliveSeconds));
  if (aliveSeconds === 0) return undefined;
  return {
    cpuSeconds: sum(all.map(({ cpuSeconds }) => cpuSeconds)),
    aliveSeconds,
    meanMemoryBytes: sum(all.map((one) => one.meanMemoryBytes * one.aliveSeconds)) / aliveSeconds,
    peakMemoryBytes: Math.max(...all.map(({ peakMemoryBytes }) => peakMemoryBytes)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
