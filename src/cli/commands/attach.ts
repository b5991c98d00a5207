import type { Command } from 'commander';
import { Failure } from '../../protocol/failure.js';
import { attachThread } from '../attach-thread.js';
import { readyClient } from '../background-worker.js';
import { findThreadOf } from '../find-id.js';
import { writeJson, writeMessage } from '../output.js';

/** `handraise attach`: a thread in the runtime's own terminal program. */
export function addAttach(program: Command): void {
  program
    .command('attach')
    .summary("open a thread in the agent's own terminal program")
    .description(
      "Opens the session of a thread in the agent's own terminal program: claude, codex or opencode. " +
        'The worker keeps its hands off meanwhile: work and messages for the thread wait. ' +
        'When you leave the program, the worker takes the session back, with what was said. ' +
        'A question that is open has to be answered first, because the program would not show it.',
    )
    .argument(
      '<id>',
      'a thread or dispatch: its id, its first or last letters, or its name; last is the newest',
    )
    .option('--set-aside', 'call off work that is under way, with its open question')
    .option('--json', 'print the thread as JSON once it is taken back')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise attach last\n  $ handraise attach fix-login --set-aside\n',
    )
    .action(attach);
}

async function attach(text: string, options: { setAside?: true; json?: true }): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new Failure(
      'usage',
      'attach needs a terminal: its input and its output are to be yours. To write to the agent from a script: handraise send',
    );
  const client = await readyClient();
  const id = await findThreadOf(client, text);
  const { thread, exitCode } = await attachThread(client, id, { isSettingAside: options.setAside === true });
  if (options.json) writeJson(thread);
  writeMessage(
    `${id} is the worker's again. To read what was said: handraise logs ${id}. To go on: handraise send ${id} TEXT`,
  );
  process.exitCode = exitCode;
}
