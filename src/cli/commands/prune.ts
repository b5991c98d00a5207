import { type Command, InvalidArgumentError, Option } from 'commander';
import { byteWords } from '../../domain/words/byte-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { PruneReport } from '../../protocol/cleanup.js';
import { given } from '../../protocol/given.js';
import { WorkStanding } from '../../protocol/thread-query.js';
import { readyClient } from '../background-worker.js';
import { writeJson, writeLine, writeMessage } from '../output.js';

/** `handraise prune`: removes old threads without losing work. */
export function addPrune(program: Command): void {
  program
    .command('prune')
    .summary('remove old threads without losing work')
    .description(
      'Removes threads in which nothing has happened for some time, with their worktrees, and forgets notifications of that age. A thread ' +
        'stays if its work has not ended, or is neither landed nor discarded. The space is given back to the disk.',
    )
    .addOption(
      new Option('--older-than <time>', 'only threads that have been quiet for this long: 30d, 12h or 0')
        .argParser(toDays)
        .default(30, '30d'),
    )
    .option('--state <state>', 'only threads whose newest work has this state (repeatable)', toStates)
    .option(
      '--keep <size>',
      'remove the oldest only, until the others take no more than this: 500MB, 2GB',
      toBytes,
    )
    .option('--dry-run', 'remove nothing, and print exactly what would be removed')
    .option('--json', 'print what was removed, or would be, as JSON')
    .addHelpText('after', examples)
    .action(prune);
}

const examples = `
Examples:
  $ handraise prune --dry-run
  $ handraise prune --older-than 7d --state succeeded --state cancelled
  $ handraise prune --older-than 0 --keep 500MB
`;

interface PruneOptions {
  readonly olderThan: number;
  readonly state?: readonly WorkStanding[];
  readonly keep?: number;
  readonly dryRun?: true;
  readonly json?: true;
}

async function prune({ olderThan, state, keep, dryRun, json }: PruneOptions): Promise<void> {
  const client = await readyClient();
  const request = {
    olderThanDays: olderThan,
    dryRun: dryRun === true,
    ...given({ states: state && [...state], keepBytes: keep }),
  };
  const report = await client.threads.prune(request);
  if (json) writeJson(report);
  else tell(report);
}

function tell({ threads, spared, moved, notifications, repositories, isMore, dryRun }: PruneReport): void {
  for (const { id, title, bytes, worktree } of threads)
    writeLine(
      [id, byteWords(bytes), plainLine(title), ...(worktree === undefined ? [] : [plainLine(worktree)])].join(
        '  ',
      ),
    );
  for (const { id, title, bytes } of moved)
    writeMessage(
      `${id} (${plainLine(title)}, ${byteWords(bytes)}) ${dryRun ? 'would stay; its events would be moved' : 'stays; its events were moved'} to a file.`,
    );
  for (const repo of repositories)
    writeMessage(`${plainLine(repo)}, which was fetched for work, ${dryRun ? 'would be' : 'was'} removed.`);
  for (const { id, why } of spared) writeMessage(`${id} stays. ${why}`);
  const bytes = byteWords(threads.reduce((sum, each) => sum + each.bytes, 0));
  const verb = dryRun ? 'Would remove' : 'Removed';
  const sent = dryRun ? '' : `, and forgot ${notifications} notifications`;
  writeMessage(`${verb} ${threads.length} threads (${bytes})${sent}.`);
  if (isMore) writeMessage('There are more. Run it again.');
}

function toDays(text: string): number {
  const [, number = '', unit = 'd'] = /^(\d{1,6}(?:\.\d+)?)([dh])?$/.exec(text) ?? [];
  if (number === '') throw new InvalidArgumentError('Write it as days or hours, such as 30d or 12h.');
  return Number(number) / (unit === 'h' ? 24 : 1);
}

const units: Readonly<Record<string, number>> = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9 };

function toBytes(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9}(?:\.\d+)?)(KB|MB|GB)?$/i.exec(text) ?? [];
  if (number === '') throw new InvalidArgumentError('Write it as 500MB or 2GB.');
  return Math.round(Number(number) * (units[unit.toUpperCase()] ?? 1));
}

function toStates(text: string, before: readonly WorkStanding[] = []): readonly WorkStanding[] {
  const standing = WorkStanding.safeParse(text);
  if (standing.success) return [...before, standing.data];
  throw new InvalidArgumentError(`Allowed choices are ${WorkStanding.options.join(', ')}.`);
}
