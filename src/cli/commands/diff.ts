import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import { readyClient } from '../background-worker.js';
import { findThreadOf } from '../find-id.js';
import { lineWidth, writeJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { printPaged } from '../terminal/pager.js';
import { changeSummary, fileLines, statLines } from '../view/change-view.js';

/** `handraise diff`: what an agent changed. */
export function addDiff(program: Command): void {
  program
    .command('diff')
    .summary('show what an agent changed')
    .description(
      'Shows everything that the work of a thread changed: what is committed on its branch, what is not, and new files. ' +
        'A worktree is compared with the branch it came from, work in place with the files as they were when it began.',
    )
    .argument('<id>', 'thread or dispatch id, its first letters, or last')
    .argument('[path]', 'only this file')
    .option('--stat', 'show only how much changed in each file')
    .option('--no-pager', 'print everything at once')
    .option('--json', 'print the changes as JSON, one line per part')
    .addHelpText('after', examples)
    .action(diff);
}

const examples = `
Examples:
  $ handraise diff last
  $ handraise diff thr_01k9w --stat
  $ handraise diff last src/parser.ts
  $ handraise diff last --json | jq -r '.files[].path'

On a terminal it is shown through your pager (GIT_PAGER, core.pager, PAGER, less), as git does it.
`;

interface DiffOptions {
  readonly stat?: true;
  readonly pager: boolean;
  readonly json?: true;
}

async function diff(text: string, path: string | undefined, options: DiffOptions): Promise<void> {
  const client = await readyClient();
  const threadId = await findThreadOf(client, text);
  const hunks = options.stat !== true;
  if (options.json) {
    for await (const page of client.threads.allChanges(threadId, { hunks, ...given({ path }) }))
      writeJson(page);
    return;
  }
  if (options.stat) return await printStat(client, threadId, path);
  await printPaged(patchText(client, threadId, path), { isWanted: options.pager });
}

async function printStat(client: Client, threadId: ThreadId, path: string | undefined): Promise<void> {
  const colours = coloursOf(process.stdout);
  const pages = [];
  for await (const page of client.threads.allChanges(threadId, { limit: 1000, ...given({ path }) }))
    pages.push(page);
  const files = pages.flatMap((page) => page.files);
  for (const line of statLines(files, { colours, columns: lineWidth(process.stdout) })) writeLine(line);
  const [first] = pages;
  if (!first) return;
  writeLine(` ${changeSummary(first)}`);
  for (const note of first.notes) writeMessage(note);
}

async function* patchText(
  client: Client,
  threadId: ThreadId,
  path: string | undefined,
): AsyncGenerator<string> {
  const colours = coloursOf(process.stdout);
  let isFirst = true;
  for await (const page of client.threads.allChanges(threadId, { hunks: true, ...given({ path }) })) {
    if (isFirst) {
      yield colours.dim(changeSummary(page));
      for (const note of page.notes) yield colours.yellow(note);
      yield '';
    }
    isFirst = false;
    for (const file of page.files) yield* fileLines(file, colours);
  }
}
