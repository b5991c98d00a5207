import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { PromptId } from '../../protocol/id.js';
import type { ObservedSession } from '../../protocol/observed.js';
import type { Prompt } from '../../protocol/prompt.js';
import { readyClient } from '../background-worker.js';
import { toCount } from '../number-option.js';
import { lineWidth, seenJson, writeLine } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { addThreadFilters, type ThreadFilterOptions, threadQuery } from '../thread-filter.js';
import { dispatchTable } from '../view/dispatch-table.js';
import { observedTable } from '../view/observed-table.js';
import { threadTable } from '../view/thread-table.js';
import { watch } from '../watch.js';

// Enough to keep short ids unique among all that were made at about the same time.
const readAtOnce = 1000;

/** `handraise ls`: threads and what their agents do, or dispatches. */
export function addLs(program: Command): void {
  addThreadFilters(
    program
      .command('ls')
      .alias('ps')
      .summary('list threads or dispatches')
      .description(
        'Lists threads, newest first, with what each agent is doing; below them the agents that were started by hand.',
      )
      .option(
        '-D, --dispatches',
        'list dispatches instead; of the filters, --state and --label apply to them',
      ),
  )
    .option('-n, --limit <number>', 'show at most this many', toCount, 50)
    .option('-q, --quiet', 'print only the full ids')
    .option('-w, --watch', 'keep showing it, updated whenever it changes')
    .option('--json', 'print a JSON array; with -w one per change')
    .addHelpText('after', examples)
    .action(ls);
}

const examples = `
Examples:
  $ handraise ls -w
  $ handraise ls --state failed --label sprint=12 -C .
  $ handraise ls --dispatches --state waiting
  $ handraise ls --json | jq -r '.[] | select(.status.state == "question") | .id'
`;

interface LsOptions extends ThreadFilterOptions {
  readonly dispatches?: true;
  readonly limit: number;
  readonly quiet?: true;
  readonly watch?: true;
  readonly json?: true;
}

async function ls(options: LsOptions): Promise<void> {
  const { workspace, runtime, archived } = options;
  if (options.dispatches && (workspace ?? runtime ?? archived) !== undefined)
    throw new Failure(
      'usage',
      '--workspace, --runtime and --archived choose threads. With --dispatches, use --state and --label.',
    );
  const client = await readyClient();
  const view = () => (options.dispatches ? dispatchLines(client, options) : threadLines(client, options));
  if (options.watch) return watch(view);
  for (const line of await view()) writeLine(line);
}

async function threadLines(client: Client, options: LsOptions): Promise<string[]> {
  const { threads } = await client.threads.list({
    limit: readAtOnce,
    order: 'newest_first',
    ...threadQuery(options),
  });
  const context = { now: Date.now(), width: lineWidth(process.stdout), colours: coloursOf(process.stdout) };
  const isTable = !options.json && !options.quiet;
  const asks = isTable && threads.some(({ status }) => status.state === 'question');
  const prompts = asks ? await openPrompts(client) : new Map();
  const lines = linesOf(threads, options, (shown, ids) => threadTable(shown, { ids, prompts, ...context }));
  if (!isTable) return lines;
  const observed = await observedHere(client, options);
  if (observed.length === 0) return lines;
  const table = observedTable(observed, context);
  return threads.length === 0 ? table : [...lines, '', ...table];
}

/** What is asked; not every token may read that. */
async function openPrompts(client: Client): Promise<ReadonlyMap<PromptId, Prompt>> {
  try {
    return new Map((await client.prompts.open()).map((prompt) => [prompt.id, prompt]));
  } catch (error) {
    if (error instanceof Failure && error.code === 'forbidden') return new Map();
    throw error;
  }
}

/** Agents that were started by hand; they have neither work nor labels, and are never archived. */
async function observedHere(client: Client, options: LsOptions): Promise<ObservedSession[]> {
  const { state, label, archived, runtime } = options;
  if ((state ?? label ?? archived) !== undefined) return [];
  const { workspace } = threadQuery(options);
  const isHere = (folder = '') => workspace === undefined || `${folder}/`.startsWith(`${workspace}/`);
  const sessions = await client.observed.list();
  return sessions.filter((each) => isHere(each.workspace) && each.runtime === (runtime ?? each.runtime));
}

async function dispatchLines(client: Client, options: LsOptions): Promise<string[]> {
  const { state, label } = options;
  const { dispatches } = await client.dispatches.list({
    limit: readAtOnce,
    order: 'newest_first',
    ...given({ state, label }),
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
  if (json) return [seenJson(shown)];
  if (quiet) return shown.map(({ id }) => id);
  return table(
    shown,
    rows.map(({ id }) => id),
  );
}
