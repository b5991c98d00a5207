import type { Command } from 'commander';
import * as z from 'zod';
import { Failure } from '../protocol/failure.js';
import { readyClient } from './background-worker.js';
import { findPrompt } from './find-id.js';
import { sendAnswer } from './send-answer.js';

/** `handraise approve`: yes to an action. */
export function addApprove(program: Command): void {
  program
    .command('approve')
    .summary('approve an action')
    .description(
      'Approves exactly the action that a prompt shows. If it changed meanwhile, it is asked again.',
    )
    .argument('<prompt>', 'a prompt; the beginning of its id is enough')
    .option('--thread', 'and the same tool and pattern in this thread from now on')
    .option('--edit <json>', 'with this input instead')
    .option('--all-like', 'approve every open prompt that is the same, in all threads')
    .option('--json', 'print the prompt as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise approve prm_01k9y\n  $ handraise approve prm_01k9y --thread\n  $ handraise approve prm_01k9y --all-like\n',
    )
    .action(approve);
}

interface ApproveOptions {
  readonly thread?: true;
  readonly edit?: string;
  readonly allLike?: true;
  readonly json?: true;
}

async function approve(prompt: string, { thread, edit, ...options }: ApproveOptions): Promise<void> {
  const client = await readyClient();
  const decision = {
    approved: true,
    ...(thread && { scope: 'thread' as const }),
    ...(edit !== undefined && { updatedInput: inputOf(edit) }),
  };
  await sendAnswer(client, { id: await findPrompt(client, prompt), answer: { decision }, ...options });
}

function inputOf(text: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (error) {
    throw new Failure('invalid', '--edit is a JSON object: the whole input of the tool', { cause: error });
  }
}
