import { Command, CommanderError } from 'commander';
import { packageVersion } from '../compose.js';
import { ExitCode } from '../protocol/exit-code.js';
import { exitCodeOf, Failure } from '../protocol/failure.js';
import { addAnswer } from './answer.js';
import { addApprove } from './approve.js';
import { addCancel } from './cancel.js';
import { addCompletion } from './completion.js';
import { addConfig } from './config.js';
import { addDeny } from './deny.js';
import { addDown } from './down.js';
import { addInbox } from './inbox.js';
import { addLogs } from './logs.js';
import { addLs } from './ls.js';
import { addRetry } from './retry.js';
import { addRun } from './run.js';
import { addSend } from './send.js';
import { addShow } from './show.js';
import { addSim } from './sim.js';
import { addStatus } from './status.js';
import { plainText } from './terminal/plain-text.js';
import { addToken } from './token.js';
import { addUp } from './up.js';
import { addWait } from './wait.js';

const program = new Command('handraise')
  .description("Runs coding agents unattended and makes sure that nobody's question gets lost.")
  .version(packageVersion(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .option('--no-color', 'print without colours, as NO_COLOR does')
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'handraise: ')) })
  .showHelpAfterError('(handraise --help lists the commands)')
  .exitOverride()
  .addHelpText('after', examples());

const groups = {
  'Work:': [addRun, addWait, addCancel, addRetry, addSend],
  'Questions:': [addInbox, addAnswer, addApprove, addDeny],
  'What is going on:': [addLs, addShow, addLogs, addStatus],
  'The worker:': [addUp, addDown, addToken, addConfig],
  'Tools:': [addSim, addCompletion],
};
for (const [heading, commands] of Object.entries(groups)) {
  program.commandsGroup(heading);
  for (const add of commands) add(program);
}

// Who reads our output may stop early, as `head` does; that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? ExitCode.success : ExitCode.software);
  });
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // Commander has printed its own message by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.success : ExitCode.usage;
  const message = error instanceof Error ? error.message : String(error);
  const bug = error instanceof Failure ? '' : 'this is a bug: ';
  process.stderr.write(`handraise: ${bug}${plainText(message)}\n`);
  return exitCodeOf(error);
}

function examples(): string {
  return `
Examples:
  $ handraise run "make the tests pass" --verify "npm test"
  $ handraise inbox
  $ handraise ls -w

Ids may be shortened as long as they are unique. Every command takes --json: data on stdout, messages on stderr.
`;
}
