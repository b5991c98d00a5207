import { type Command, Option } from 'commander';
import type { Client } from '../client/client.js';
import { DispatchState } from '../protocol/dispatch.js';
import { readyClient } from './background-worker.js';
import { toCount } from './number-option.js';
import { lineWidth, writeLine } from './output.js';
import { coloursOf } from './terminal/colours.js';
import { dispatchTable } from './view/dispatch-table.js';
import { threadTable } from './view/thread-table.js';
import { watch } from './watch.js';

// So many are read, that short ids are unique among all that were made at about the same time.
const readAtOnce = 1000;

/** `handraise ls`: threads and what their agents do, or dispatches. */
export function addLs(program: Command): void {
  program
    .command('ls')
    .alias('ps')
    .summary('list threads, or dispatches')
    .description('Lists threads, the newest first, with what their agents are doing.')
    .option('-D, --dispatches', 'list dispatches instead')
    .addOption(new Option('--state <state>', 'only dispatches in this state').choices(DispatchState.options))
    .option('-n, --limit <number>', 'how many at most', toCount, 50)
    .option('-q, --quiet', 'print ids only, whole')
    .option('-w, --watch', 'draw it again whenever it changes')
    .option('--json', 'print a JSON array; with -w one per change')
    .addHelpText('after', examples)
    .action(ls);
}

const examples = `
Examples:
  $ handraise ls -w
  $ handraise ls --dispatches --state waiting
  $ handraise ls --json | jq -r '.[] | select(.status.state == "question") | .id'
`;

interface LsOptions {
  readonly dispatches?: true;
  readonly state?: DispatchState;
  readonly limit: number;
  readonly quiet?: true;
  readonly watch?: true;
  readonly json?: true;
}

async function ls(options: LsOptions): Promise<void> {
  const client = await readyClient();
  const view = () =>
    options.dispatches || options.state ? dispatchLines(client, options) : threadLines(client, options);
  if (options.watch) return watch(view);
  for (const line of await view()) writeLine(line);
}

async function threadLines(client: Client, options: LsOptions): Promise<string[]> {
  const { threads } = await client.threads.list({ limit: readAtOnce, order: 'newest_first' });
  return linesOf(threads, options, (shown, ids) =>
    threadTable(shown, {
      ids,
      now: Date.now(),
      width: lineWidth(process.stdout),
      colours: coloursOf(process.stdout),
    }),
  );
}

async function dispatchLines(client: Client, options: LsOptions): Promise<string[]> {
  const { dispatches } = await client.dispatches.list({
    limit: readAtOnce,
    order: 'newest_first',
    ...(options.state && { state: options.state }),
  });
  return linesOf(dispatches, options, (shown, ids) =>
    dispatchTable(shown, {
      ids,
      now: Date.now(),
      width: lineWidth(process.stdout),
      colours: coloursOf(process.stdout),
    }),
  );
}

function linesOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { limit, quiet, json }: LsOptions,
  table: (shown: readonly Row[], ids: readonly string[]) => string[],
): string[] {
  const shown = rows.slice(0, limit);
  if (json) return [JSON.stringify(shown)];
  if (quiet) return shown.map(({ id }) => id);
  return table(
    shown,
    rows.map(({ id }) => id),
  );
}
