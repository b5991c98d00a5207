import { execFileSync } from 'node:child_process';

/** The runner that started the client of a container; by its own name it could not be told from a spare one. */
export function runnerOf(container: string): number {
  const client = execFileSync('pgrep', ['-of', `run --interactive --name ${container} `], {
    encoding: 'utf8',
  });
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', client.trim()], { encoding: 'utf8' }));
}
