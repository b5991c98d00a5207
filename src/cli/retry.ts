import type { Command } from 'commander';
import { readyClient } from './background-worker.js';
import { findDispatch } from './find-id.js';
import { writeJson, writeLine, writeMessage } from './output.js';

/** `handraise retry`: the same work again, as a new dispatch. */
export function addRetry(program: Command): void {
  program
    .command('retry')
    .summary('do work again')
    .description('Gives the work of a dispatch, or of the newest one of a thread, again as a new dispatch.')
    .argument('<id>', 'a dispatch or a thread; the beginning of its id is enough')
    .option('--json', 'print the new dispatch as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise wait $(handraise retry dsp_01k9x)\n')
    .action(retry);
}

async function retry(id: string, { json }: { json?: true }): Promise<void> {
  const client = await readyClient();
  const dispatch = await client.dispatches.retry(await findDispatch(client, id));
  if (json) writeJson(dispatch);
  else writeLine(dispatch.id);
  writeMessage(`queued; handraise wait ${dispatch.id} waits for it`);
}
