import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { age } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import { shortIds } from '../../domain/words/short-id.js';
import { statusWords } from '../../domain/words/status-words.js';
import type { StatusStep } from '../../protocol/api.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import { readyClient } from '../background-worker.js';
import { findThread } from '../find-id.js';
import { lineWidth, seenJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { tableLines } from '../terminal/table.js';
import { observedTable } from '../view/observed-table.js';
import { statusCell } from '../view/status-mark.js';
import { watch } from '../watch.js';

/** `handraise status`: what agents are doing, and how that is known. */
export function addStatus(program: Command): void {
  program
    .command('status')
    .summary('show what agents are doing, and why')
    .description(
      'Shows what every agent is doing, or one of them. With --explain, shows every status of one thread and why.',
    )
    .argument('[thread]', 'thread id, or its first letters')
    .option('--explain', 'show the status timeline of the thread, with reasons')
    .option('-w, --watch', 'keep showing it, updated whenever it changes')
    .option('--json', 'print it as JSON; with -w once per change')
    .addHelpText('after', '\nExamples:\n  $ handraise status -w\n  $ handraise status thr_01k9w --explain\n')
    .action(status);
}

interface StatusOptions {
  readonly explain?: true;
  readonly watch?: true;
  readonly json?: true;
}

async function status(text: string | undefined, options: StatusOptions): Promise<void> {
  const client = await readyClient();
  const view = await viewOf(client, text, options);
  if (options.watch) return watch(view);
  const lines = await view();
  for (const line of lines) writeLine(line);
  if (lines.length === 0) writeMessage('No agent is running. Start one with: handraise run "TEXT"');
}

async function viewOf(
  client: Client,
  text: string | undefined,
  { explain, json }: StatusOptions,
): Promise<() => Promise<string[]>> {
  if (text === undefined) {
    if (explain) throw new Failure('usage', 'Name the thread: handraise status THREAD --explain');
    return () => everyStatus(client, json);
  }
  const id = await findThread(client, text);
  return async () => {
    const thread = await client.threads.get(id);
    const steps = explain ? await stepsOf(client, id) : undefined;
    if (json) return [seenJson({ threadId: id, status: thread.status, ...(steps && { steps }) })];
    return steps ? timeline(steps) : [sentence(thread)];
  };
}

async function stepsOf(client: Client, id: ThreadId): Promise<StatusStep[]> {
  const steps: StatusStep[] = [];
  for await (const step of client.threads.statusLog(id)) steps.push(step);
  return steps;
}

async function everyStatus(client: Client, json: true | undefined): Promise<string[]> {
  if (json) return [seenJson(await client.status())];
  const colours = coloursOf(process.stdout);
  const width = lineWidth(process.stdout);
  const { threads } = await client.threads.list({ limit: 1000, order: 'newest_first' });
  const observed = await client.observed.list();
  const byHand = observed.length === 0 ? [] : observedTable(observed, { now: Date.now(), width, colours });
  const short = shortIds(threads.map(({ id }) => id));
  const there = threads.filter((thread) => thread.status.state !== 'stopped');
  if (there.length === 0) return byHand;
  const rows = there.map((thread) => [
    { text: short(thread.id) },
    statusCell(thread.status, colours),
    { text: sinceWords(thread) },
    { text: plainLine(thread.title) },
    { text: whyWords(thread), paint: colours.dim },
  ]);
  const columns = [
    { header: 'THREAD' },
    { header: 'STATUS' },
    { header: 'SINCE' },
    { header: 'TITLE', isFlexible: true },
    { header: 'WHY', isFlexible: true },
  ];
  const table = tableLines(columns, rows, { width, paintHeader: colours.dim });
  return byHand.length === 0 ? table : [...table, '', ...byHand];
}

function sentence(thread: Thread): string {
  const { id, status: report } = thread;
  const { text, paint = String } = statusCell(report, coloursOf(process.stdout));
  return `${id} ${paint(text)}: ${whyWords(thread)} (${report.source}, ${report.confidence})`;
}

/** Why its agent does what it does; where its work waits for the end of a usage limit, that is why it does nothing. */
function whyWords({ status: report, lastDispatch }: Thread): string {
  const said = statusWords(report);
  if (lastDispatch?.waitsFor !== 'quota') return said;
  return `its work ${queuedWords(lastDispatch, Date.now())}; ${said}`;
}

function sinceWords({ status: report }: Thread): string {
  return 'since' in report ? age(report.since, Date.now()) : '';
}

function timeline(steps: readonly StatusStep[]): string[] {
  const colours = coloursOf(process.stdout);
  const rows = steps.map(({ at, report }) => [
    { text: at, paint: colours.dim },
    statusCell(report, colours),
    { text: statusWords(report) },
    { text: `${report.source}, ${report.confidence}`, paint: colours.dim },
  ]);
  const columns = [
    { header: 'AT' },
    { header: 'STATUS' },
    { header: 'WHY', isFlexible: true },
    { header: 'SOURCE' },
  ];
  return tableLines(columns, rows, { width: lineWidth(process.stdout), paintHeader: colours.dim });
}
