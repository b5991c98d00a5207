import type { Command } from 'commander';
import { Failure } from '../../protocol/failure.js';
import { ThreadName } from '../../protocol/thread-name.js';
import { readyClient } from '../background-worker.js';
import { findThreadOf } from '../find-id.js';
import { writeJson, writeLine } from '../output.js';

/** `handraise rename`: gives a thread a name to call it by. */
export function addRename(program: Command): void {
  program
    .command('rename')
    .summary('name a thread')
    .description(
      'Gives a thread a name, which can be used wherever an id can. No two threads have the same name, unless one of them is archived.',
    )
    .argument('<id>', 'the thread: its id, first or last letters of it, or the name that it has')
    .argument('[name]', 'a letter, then up to 63 letters, digits, ".", "_" and "-"')
    .option('--remove', 'take its name away')
    .option('--json', 'print the thread as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise rename last fix-login\n  $ handraise logs -f fix-login\n',
    )
    .action(rename);
}

async function rename(
  text: string,
  given: string | undefined,
  { remove, json }: { remove?: true; json?: true },
): Promise<void> {
  if ((given === undefined) !== (remove === true))
    throw new Failure('usage', 'Give the new name, or --remove to take the name away.');
  const name = given === undefined ? null : nameOf(given);
  const client = await readyClient();
  const thread = await client.threads.edit(await findThreadOf(client, text), { name });
  if (json) writeJson(thread);
  else writeLine(thread.id);
}

function nameOf(text: string): string {
  const name = ThreadName.safeParse(text);
  if (name.success) return name.data;
  throw new Failure('usage', `"${text}" cannot be a name. ${name.error.issues[0]?.message}`);
}
