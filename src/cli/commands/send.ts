import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { askWords } from '../../domain/words/ask-words.js';
import { Failure } from '../../protocol/failure.js';
import { readyClient } from '../background-worker.js';
import { findThread } from '../find-id.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { howToAnswer } from '../view/prompt-card.js';

/** `handraise send`: a message into a thread. */
export function addSend(program: Command): void {
  program
    .command('send')
    .summary('send a message to an agent')
    .description(
      'Sends a message to the agent of a thread. An idle agent takes it as new work, a working agent as a follow-up. ' +
        'While the agent waits for an answer the message is refused: use handraise answer, or --queue.',
    )
    .argument('<thread>', 'thread id, or its first letters')
    .argument('<text...>', 'the message; - reads it from stdin')
    .option('--queue', 'keep the message for later, even while the agent waits for an answer')
    .option('--json', 'print where the message went as JSON')
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
      throw new Failure(
        'conflict',
        `${askWords(asked, await client.threads.get(id))}\n  Answer it first: ${howToAnswer(asked, asked.id)}\n  Or keep your message for later with --queue.`,
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
  writeMessage(`Sent. Follow the thread with: handraise logs -f ${id}`);
}
