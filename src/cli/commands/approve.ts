import type { Command } from 'commander';
import * as z from 'zod';
import { Failure } from '../../protocol/failure.js';
import { readyClient } from '../background-worker.js';
import { findPrompt } from '../find-id.js';
import { sendAnswer } from '../send-answer.js';

/** `handraise approve`: yes to an action. */
export function addApprove(program: Command): void {
  program
    .command('approve')
    .summary('approve an action')
    .description(
      'Approves exactly the action that the agent asks for. If the action changes, the agent has to ask again.',
    )
    .argument('<prompt>', 'approval id, or its first letters')
    .option(
      '--thread',
      'approve exactly this action in this thread from now on; handraise show lists such approvals',
    )
    .option('--edit <json>', 'approve with this input instead: the whole input as a JSON object')
    .option('--all-like', 'approve every open approval that is the same, in all threads')
    .option('--json', 'print the approval as JSON')
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
    throw new Failure('invalid', '--edit must be a JSON object with the whole input of the tool.', {
      cause: error,
    });
  }
}
