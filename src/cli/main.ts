import { Command, CommanderError } from 'commander';
import { packageVersion } from '../compose.js';
import { plainText } from '../domain/plain-text.js';
import { ExitCode } from '../protocol/exit-code.js';
import { exitCodeOf, Failure } from '../protocol/failure.js';

const program = new Command('handraise')
  .description("Runs coding agents unattended and makes sure that nobody's question gets lost.")
  .version(packageVersion(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .option('--no-color', 'print without colours, as NO_COLOR does')
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'handraise: ')) })
  .showHelpAfterError('(handraise --help lists the commands)')
  .exitOverride()
  .addHelpText('after', examples());

type Add = (program: Command) => void;

const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<Add>>>>> = {
  'Work:': {
    run: async () => (await import('./run.js')).addRun,
    wait: async () => (await import('./wait.js')).addWait,
    cancel: async () => (await import('./cancel.js')).addCancel,
    retry: async () => (await import('./retry.js')).addRetry,
    send: async () => (await import('./send.js')).addSend,
  },
  'Questions:': {
    inbox: async () => (await import('./inbox.js')).addInbox,
    answer: async () => (await import('./answer.js')).addAnswer,
    approve: async () => (await import('./approve.js')).addApprove,
    deny: async () => (await import('./deny.js')).addDeny,
  },
  'What is going on:': {
    ls: async () => (await import('./ls.js')).addLs,
    show: async () => (await import('./show.js')).addShow,
    logs: async () => (await import('./logs.js')).addLogs,
    status: async () => (await import('./status.js')).addStatus,
  },
  'The worker:': {
    up: async () => (await import('./up.js')).addUp,
    down: async () => (await import('./down.js')).addDown,
    token: async () => (await import('./token.js')).addToken,
    config: async () => (await import('./config.js')).addConfig,
  },
  'Tools:': {
    sim: async () => (await import('./sim.js')).addSim,
    completion: async () => (await import('./completion.js')).addCompletion,
  },
};

// Only the command that is called is loaded, unless all are looked at: 0.28 s of CPU against 0.37 s.
const [called = ''] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const isKnown = Object.values(groups).some((commands) => Object.hasOwn(commands, called));
for (const [heading, commands] of Object.entries(groups)) {
  program.commandsGroup(heading);
  for (const [name, load] of Object.entries(commands)) {
    // oxlint-disable-next-line no-await-in-loop -- help lists them in this order
    if (!isKnown || name === called) (await load())(program);
  }
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
