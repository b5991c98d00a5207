import type { Command } from 'commander';
import { readyClient } from '../background-worker.js';
import { doEach } from '../do-each.js';
import { findDispatch, findEach } from '../find-id.js';
import { writeJson, writeLine, writeMessage } from '../output.js';

/** `handraise retry`: the same work again, as a new dispatch. */
export function addRetry(program: Command): void {
  program
    .command('retry')
    .summary('start work again')
    .description(
      'Starts the work of dispatches, or of the newest dispatch of threads, again: each as a new dispatch.',
    )
    .argument('<id...>', 'dispatches or threads: ids, their first or last letters, names')
    .option('--json', 'print each new dispatch as JSON, one per line')
    .addHelpText('after', examples)
    .action(retry);
}

const examples = `
Examples:
  $ handraise wait $(handraise retry dsp_01k9x)
  $ handraise retry $(handraise ls -q --state failed)
`;

async function retry(texts: readonly string[], { json }: { json?: true }): Promise<void> {
  const client = await readyClient();
  await doEach(await findEach(client, texts, findDispatch), async (id) => {
    const dispatch = await client.dispatches.retry(id);
    if (json) writeJson(dispatch);
    else writeLine(dispatch.id);
    writeMessage(`Queued as ${dispatch.id}. Follow it with: handraise logs -f ${dispatch.id}`);
  });
}
