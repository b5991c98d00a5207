import type { Command } from 'commander';
import { ExitCode } from '../../protocol/exit-code.js';
import { readyClient } from '../background-worker.js';
import { toCount } from '../number-option.js';
import { lineWidth, seenJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { addThreadFilters, type ThreadFilterOptions, threadQuery } from '../thread-filter.js';
import { foundLines } from '../view/found-lines.js';

/** `handraise search`: threads by the words in them. */
export function addSearch(program: Command): void {
  addThreadFilters(
    program
      .command('search')
      .summary('find threads by the words in them')
      .description(
        'Finds threads, newest first, in which one message, question, answer, tool call, result, title or name has all of these words, ' +
          'or words that begin with them. Case and accents do not matter.',
      )
      .argument('<text...>', 'words to look for'),
  )
    .option('-n, --limit <number>', 'show at most this many', toCount, 20)
    .option('-q, --quiet', 'print only the full ids')
    .option('--json', 'print {"threads", "matches"} as JSON')
    .addHelpText('after', help)
    .action(search);
}

const help = `
Examples:
  $ handraise search login timeout
  $ handraise search migrat --runtime claude --state failed

Exit codes: 0 found, 1 nothing found.
`;

interface SearchOptions extends ThreadFilterOptions {
  readonly limit: number;
  readonly quiet?: true;
  readonly json?: true;
}

async function search(words: readonly string[], options: SearchOptions): Promise<void> {
  const { limit, quiet, json } = options;
  const client = await readyClient();
  const { threads, matches = [] } = await client.threads.list({
    search: words.join(' '),
    limit: Math.max(1, Math.min(limit, 1000)),
    order: 'newest_first',
    ...threadQuery(options),
  });
  if (json) writeLine(seenJson({ threads, matches }));
  else if (quiet) for (const { id } of threads) writeLine(id);
  else {
    const context = {
      ids: threads.map(({ id }) => id),
      now: Date.now(),
      width: lineWidth(process.stdout),
      colours: coloursOf(process.stdout),
    };
    for (const line of foundLines(threads, matches, context)) writeLine(line);
  }
  if (threads.length > 0) return;
  writeMessage('Nothing was found.');
  process.exitCode = ExitCode.failure;
}
