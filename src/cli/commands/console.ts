import type { Command } from 'commander';
import { Failure } from '../../protocol/failure.js';
import { readyClient } from '../background-worker.js';
import { openConsole } from '../console/open-console.js';
import { openPlainConsole } from '../console/plain-console.js';
import { isCapable } from '../terminal/key-input.js';

/** `handraise console`: all work on one screen of the terminal. */
export function addConsole(program: Command): void {
  program
    .command('console')
    .summary('see all work and answer questions on one screen')
    .description(
      'Shows all work by need: what needs you, what failed, what is ready to review, what is under way. Opens threads with ' +
        'their live text and changes, answers every kind of question with keys, and gives new work. Press ? for the keys. ' +
        'Agents go on when it is closed.',
    )
    .option('--ascii', 'draw with ASCII signs alone, as in a locale that is not UTF-8')
    .option('--mouse', 'take clicks and the wheel; without it the key g m does')
    .option(
      '--plain',
      'print one line per change and ask in lines, for screen readers; nothing is drawn again',
    )
    .addHelpText('after', '\nExamples:\n  $ handraise console\n  $ handraise console --plain\n')
    .action(openTerminal);
}

interface ConsoleFlags {
  readonly ascii?: true;
  readonly mouse?: true;
  readonly plain?: true;
}

async function openTerminal({ ascii, mouse, plain }: ConsoleFlags): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new Failure(
      'usage',
      'console needs a terminal: its input and its output are to be yours. In a script use: handraise ls, inbox and answer',
    );
  const client = await readyClient();
  if (plain || !isCapable()) return await openPlainConsole(client);
  await openConsole({
    client,
    views: [{ kind: 'home' }],
    isAscii: ascii === true,
    isMouseOn: mouse === true,
  });
}
