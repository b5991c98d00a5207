import { Command, CommanderError } from 'commander';
import { packageVersion } from '../compose.js';
import { plainText } from '../domain/words/plain-text.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { ExitCode } from '../protocol/exit-code.js';
import { exitCodeOf, Failure } from '../protocol/failure.js';
import { refuseAgentCommand } from './inside-agent.js';
import { endWithOutput } from './lost-output.js';
import { systemFailure } from './system-failure.js';

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

const lastWordMs = 3000;

type Add = (program: Command) => void;

const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<Add>>>>> = {
  'Work:': {
    run: async () => (await import('./commands/run.js')).addRun,
    wait: async () => (await import('./commands/wait.js')).addWait,
    cancel: async () => (await import('./commands/cancel.js')).addCancel,
    retry: async () => (await import('./commands/retry.js')).addRetry,
    send: async () => (await import('./commands/send.js')).addSend,
    attach: async () => (await import('./commands/attach.js')).addAttach,
    adopt: async () => (await import('./commands/adopt.js')).addAdopt,
    schedule: async () => (await import('./commands/schedule.js')).addSchedule,
    rename: async () => (await import('./commands/rename.js')).addRename,
  },
  'Questions:': {
    inbox: async () => (await import('./commands/inbox.js')).addInbox,
    answer: async () => (await import('./commands/answer.js')).addAnswer,
    approve: async () => (await import('./commands/approve.js')).addApprove,
    deny: async () => (await import('./commands/deny.js')).addDeny,
    withdraw: async () => (await import('./commands/withdraw.js')).addWithdraw,
  },
  'Overview:': {
    console: async () => (await import('./commands/console.js')).addConsole,
    ls: async () => (await import('./commands/ls.js')).addLs,
    search: async () => (await import('./commands/search.js')).addSearch,
    show: async () => (await import('./commands/show.js')).addShow,
    logs: async () => (await import('./commands/logs.js')).addLogs,
    status: async () => (await import('./commands/status.js')).addStatus,
  },
  'Review:': {
    diff: async () => (await import('./commands/diff.js')).addDiff,
    comments: async () => (await import('./commands/comments.js')).addComments,
    merge: async () => (await import('./commands/merge.js')).addMerge,
    apply: async () => (await import('./commands/apply.js')).addApply,
    pr: async () => (await import('./commands/pr.js')).addPr,
    'watch-pr': async () => (await import('./commands/watch-pr.js')).addWatchPr,
    discard: async () => (await import('./commands/discard.js')).addDiscard,
  },
  'Cleaning up:': {
    archive: async () => (await import('./commands/archive.js')).addArchive,
    rm: async () => (await import('./commands/rm.js')).addRm,
    prune: async () => (await import('./commands/prune.js')).addPrune,
    export: async () => (await import('./commands/export.js')).addExport,
    import: async () => (await import('./commands/import.js')).addImport,
  },
  'Worker:': {
    up: async () => (await import('./commands/up.js')).addUp,
    open: async () => (await import('./commands/open.js')).addOpen,
    down: async () => (await import('./commands/down.js')).addDown,
    service: async () => (await import('./commands/service.js')).addService,
    token: async () => (await import('./commands/token.js')).addToken,
    config: async () => (await import('./commands/config.js')).addConfig,
  },
  'Tools:': {
    demo: async () => (await import('./commands/demo.js')).addDemo,
    sim: async () => (await import('./commands/sim.js')).addSim,
    completion: async () => (await import('./commands/completion.js')).addCompletion,
  },
};

// Only the command that is called is loaded, unless all are looked at: 0.28 s of CPU against 0.37 s. The version needs none.
const [called = ''] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const isVersion = ['-V', '--version'].includes(process.argv[2] ?? '');
const isKnown = Object.values(groups).some((commands) => Object.hasOwn(commands, called));
for (const [heading, commands] of Object.entries(groups)) {
  program.commandsGroup(heading);
  for (const [name, load] of Object.entries(commands)) {
    if (isKnown ? name === called : !isVersion) (await load())(program);
  }
}

endWithOutput();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
  // Whatever still holds this process: a command that failed ends.
  setTimeout(() => process.exit(), lastWordMs).unref();
}

function report(error: unknown): number {
  // Commander has printed its own message by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.success : ExitCode.usage;
  const failure = systemFailure(error) ?? error;
  const bug = failure instanceof Failure ? '' : 'This is a bug in Handraise: ';
  process.stderr.write(`handraise: ${bug}${plainText(errorSentence(failure))}\n`);
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
