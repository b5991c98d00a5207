import { ExitCode } from '../protocol/exit-code.js';

const streams = [process.stdout, process.stderr];

/** A command ends when its output cannot be written. Who reads it may stop early, as `head` does; that is no failure. */
export function endWithOutput(): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? ExitCode.success : ExitCode.software);
    });
  }
}

/** A worker goes on: its log lies on the disk that is full, and what it says is worth less than the agents it follows. */
export function outliveOutput(): void {
  for (const stream of streams) stream.removeAllListeners('error').on('error', () => {});
}
