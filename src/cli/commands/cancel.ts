import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { Failure } from '../../protocol/failure.js';
import type { DispatchId } from '../../protocol/id.js';
import { readyClient } from '../background-worker.js';
import { doEach } from '../do-each.js';
import { findEach, findWork } from '../find-id.js';
import { writeJson, writeLine, writeMessage } from '../output.js';

/** `handraise cancel`: ends pieces of work. */
export function addCancel(program: Command): void {
  program
    .command('cancel')
    .summary('cancel work')
    .description(
      'Cancels dispatches, or of a thread the one that is under way, else the one that begins next. Their open questions are cancelled with them.',
    )
    .argument('<id...>', 'dispatches or threads: ids, their first or last letters, names')
    .option('--json', 'print each dispatch as JSON, one per line')
    .addHelpText('after', examples)
    .action(cancel);
}

const examples = `
Examples:
  $ handraise cancel dsp_01k9x
  $ handraise cancel $(handraise ls -q --label sprint=12 --state running)
`;

async function cancel(texts: readonly string[], { json }: { json?: true }): Promise<void> {
  const client = await readyClient();
  const ids = await findEach(client, texts, findWork);
  await doEach(ids, (id) => cancelOne(client, id, json));
}

async function cancelOne(client: Client, id: DispatchId, json: true | undefined): Promise<void> {
  const dispatch = await client.dispatches.cancel(id);
  if (json) writeJson(dispatch);
  else writeLine(dispatch.id);
  const { state, outcome } = dispatch;
  if (outcome && outcome.result !== 'cancelled')
    throw new Failure(
      'conflict',
      `Nothing was cancelled: ${dispatch.id} had ended already (${outcome.result}).`,
    );
  writeMessage(state === 'ended' ? 'Cancelled.' : 'Cancelling: the agent is being interrupted.');
}
