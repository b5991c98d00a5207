import { Command, CommanderError } from 'commander';
import { packageVersion } from '../compose.js';
import { plainText } from '../domain/words/plain-text.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { ExitCode } from '../protocol/exit-code.js';
import { exitCodeOf, Failure } from '../protocol/failure.js';
import { PlacedFailure } from '../protocol/placed-failure.js';
import { refuseContradictions } from './contradictions.js';
import { refuseAgentCommand } from './inside-agent.js';
import { endWithOutput } from './lost-output.js';
import { systemFailure } from './system-failure.js';
import { pointerLines } from './view/pointer-lines.js';

/** The commands of a program, by the headings of its help; each is loaded when it is needed. */
export type CommandGroups = Readonly<Record<string, Readonly<Record<string, () => Promise<Add>>>>>;

type Add = (program: Command) => void;

const lastWordMs = 3000;

/** Runs what the command line says, and sets the exit code. */
export async function runProgram(groups: CommandGroups): Promise<void> {
  const program = new Command('handraise')
    .description("Runs coding agents unattended and makes sure that nobody's question gets lost.")
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .option('--no-color', 'print without colours (NO_COLOR does the same)')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'handraise: ')) })
    .showHelpAfterError('(See all commands with: handraise --help)')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .hook('preAction', refuseAgentCommand)
    .addHelpText('after', examples());
  // Only the command that is called is loaded, unless all are looked at: 0.28 s of CPU against 0.37 s.
  const [called = ''] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
  const isKnown = Object.values(groups).some((commands) => Object.hasOwn(commands, called));
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const [name, load] of Object.entries(commands)) {
      if (!isKnown || name === called) (await load())(program);
    }
  }
  refuseContradictions(program);
  endWithOutput();
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = report(error);
    // Whatever still holds this process: a command that failed ends.
    setTimeout(() => process.exit(), lastWordMs).unref();
  }
}

function report(error: unknown): number {
  // Commander has printed its own message by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.success : ExitCode.usage;
  const failure = systemFailure(error) ?? error;
  const bug = failure instanceof Failure ? '' : 'This is a bug in Handraise: ';
  process.stderr.write(`handraise: ${bug}${plainText(errorSentence(failure))}\n`);
  if (failure instanceof PlacedFailure) process.stderr.write(`${pointerLines(failure.place).join('\n')}\n`);
  return exitCodeOf(failure);
}

function examples(): string {
  return `
Examples:
  $ handraise run "make the tests pass" --verify "npm test"
  $ handraise inbox
  $ handraise ls -w

Ids can be shortened to their first or last letters; a thread's name works too; last, or @, is the newest thread. Every command takes --json. Data goes to stdout, messages to stderr.
`;
}
