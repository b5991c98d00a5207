import type { Command } from 'commander';
import { readyClient } from './background-worker.js';
import { findDispatch } from './find-id.js';
import { writeJson, writeLine, writeMessage } from './output.js';

/** `handraise cancel`: ends a piece of work. */
export function addCancel(program: Command): void {
  program
    .command('cancel')
    .summary('cancel work')
    .description(
      'Cancels a dispatch, or the newest one of a thread. Its open questions are cancelled with it.',
    )
    .argument('<id>', 'a dispatch or a thread; the beginning of its id is enough')
    .option('--json', 'print the dispatch as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise cancel dsp_01k9x\n')
    .action(cancel);
}

async function cancel(id: string, { json }: { json?: true }): Promise<void> {
  const client = await readyClient();
  const dispatch = await client.dispatches.cancel(await findDispatch(client, id));
  if (json) writeJson(dispatch);
  else writeLine(dispatch.id);
  writeMessage(dispatch.state === 'ended' ? 'cancelled' : 'it is being cancelled');
}
