import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { plainLine } from '../domain/plain-text.js';
import { Failure } from '../protocol/failure.js';
import { readyClient } from './background-worker.js';
import { findThread } from './find-id.js';
import { writeJson, writeLine, writeMessage } from './output.js';

/** `handraise send`: a message into a thread. */
export function addSend(program: Command): void {
  program
    .command('send')
    .summary('send a message into a thread')
    .description(
      'Sends a message. An idle thread takes it as new work, a working agent as a follow-up. While the agent asks,\n' +
        'the message would be its answer, so it is refused: use handraise answer, or --queue.',
    )
    .argument('<thread>', 'a thread; the beginning of its id is enough')
    .argument('<text...>', 'the message; - reads it from stdin')
    .option('--queue', 'for later, also while the agent asks; never an answer')
    .option('--json', 'print what became of it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise send thr_01k9w also update the changelog\n')
    .action(send);
}

async function send(text: string, words: readonly string[], options: { queue?: true; json?: true }) {
  const client = await readyClient();
  const id = await findThread(client, text);
  const message = words.join(' ') === '-' ? await readAll(process.stdin) : words.join(' ');
  if (!options.queue) {
    const [asked] = await client.prompts.open({ thread: id });
    if (asked) {
      const question = plainLine(asked.questions[0]?.question ?? '');
      throw new Failure(
        'conflict',
        `The agent asks: ${question}\n  Answer it with: handraise answer ${asked.id} TEXT\n  or queue the message for later with --queue`,
      );
    }
  }
  const posted = await client.threads.post(id, {
    content: [{ type: 'text', text: message }],
    // A question that comes at this very moment must not take it for its answer.
    metadata: { queue: true },
  });
  if (options.json) writeJson(posted);
  else if (posted.dispatchId) writeLine(posted.dispatchId);
  writeMessage(`sent; handraise logs -f ${id} follows the thread`);
}
