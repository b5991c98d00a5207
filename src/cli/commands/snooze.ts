import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { nextMorning, snoozedFor, snoozedUntil } from '../../domain/thread/snooze-times.js';
import { Failure } from '../../protocol/failure.js';
import { ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import { readyClient } from '../background-worker.js';
import { doEach } from '../do-each.js';
import { findEach, findNamed } from '../find-id.js';
import { writeJson, writeLine } from '../output.js';

interface SnoozeOptions {
  readonly for?: string;
  readonly until?: string;
  readonly undo?: true;
  readonly json?: true;
}

/** `handraise snooze`: puts threads off until a time. */
export function addSnooze(program: Command): void {
  program
    .command('snooze')
    .summary('see threads again later')
    .description(
      'Puts threads off until a time, for everybody: both consoles list them under Snoozed and leave what they ask out of their counts. ' +
        'Their agents go on, deadlines run, and every question can still be answered. A new question or a failure brings a thread back at once.',
    )
    .argument(
      '<id...>',
      'threads, work, or questions of theirs: ids, their first or last letters, names; last is the newest',
    )
    .option('--for <time>', 'for how long: 30m, 4h, 3d, 1w')
    .option('--until <time>', 'until when: 17:30, tomorrow, monday, 2026-01-31 (default: tomorrow, 8:00)')
    .option('--undo', 'take them back now')
    .option('--json', 'print each thread as JSON, one per line')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise snooze last\n  $ handraise snooze prm_01k9y --for 4h\n  $ handraise snooze checkout --until monday\n  $ handraise snooze checkout --undo\n',
    )
    .action(snooze);
}

async function snooze(texts: readonly string[], options: SnoozeOptions): Promise<void> {
  const until = untilOf(options, Date.now());
  const client = await readyClient();
  await doEach(await findEach(client, texts, findThreadOfAny), async (id) => {
    const thread = await client.threads.snooze(id, { until });
    if (options.json) writeJson(thread);
    else writeLine(`${thread.id} ${stateWords(thread)}`);
  });
}

function stateWords({ snoozed }: Thread): string {
  return snoozed ? `is snoozed until ${new Date(snoozed.until).toLocaleString()}` : 'is not snoozed';
}

/** When to come back; null for now. */
function untilOf(options: SnoozeOptions, now: number): string | null {
  const given = [options.for, options.until, options.undo].filter((each) => each !== undefined);
  if (given.length > 1) throw new Failure('usage', 'Give one of --for, --until and --undo.');
  if (options.undo) return null;
  if (options.for !== undefined)
    return (
      snoozedFor(options.for, now) ?? refuse(`--for ${options.for}: say 30m, 4h, 3d or 1w, a year at most.`)
    );
  if (options.until !== undefined)
    return (
      snoozedUntil(options.until, now) ??
      refuse(
        `--until ${options.until}: say 17:30, tomorrow, monday or 2026-01-31, a time that comes within a year.`,
      )
    );
  return nextMorning(now);
}

function refuse(words: string): never {
  throw new Failure('usage', words);
}

/** The thread of whatever a person sees the id of. */
async function findThreadOfAny(client: Client, text: string): Promise<ThreadId> {
  const named = await findNamed(client, text, ['thread', 'dispatch', 'prompt']);
  if (named.kind === 'dispatch') return (await client.dispatches.get(named.id)).threadId;
  if (named.kind === 'prompt') return (await client.prompts.get(named.id)).threadId;
  return ThreadId.parse(named.id);
}
