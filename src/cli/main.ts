import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { ExitCode } from '../protocol/exit-code.js';
import { exitCodeOf, Failure } from '../protocol/failure.js';
import { addSim } from './sim.js';

const program = new Command('handraise')
  .description("Runs coding agents unattended and makes sure that nobody's question gets lost.")
  .version(packageVersion(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'handraise: ')) })
  .showHelpAfterError('(handraise --help lists the commands)')
  .exitOverride();

addSim(program);

// Who reads our output may stop early, as `head` does; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? ExitCode.success : ExitCode.software);
});

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
  process.stderr.write(`handraise: ${bug}${message}\n`);
  return exitCodeOf(error);
}

function packageVersion(): string {
  const read: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof read === 'object' && read && 'version' in read ? String(read.version) : 'unknown';
}
