import { resolve } from 'node:path';
import type { Command } from 'commander';
import { byteWords } from '../../domain/words/byte-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { readyClient } from '../background-worker.js';
import { writeJson, writeLine, writeMessage } from '../output.js';

/** `handraise backup`: the store in a file, while work goes on. */
export function addBackup(program: Command): void {
  program
    .command('backup')
    .summary('write the store into a file while work goes on')
    .description(
      'Writes the store into a new file on the machine of the worker: all threads, questions, answers and schedules, as of one ' +
        "moment. Agents go on; their worker answers nothing else meanwhile. Tokens, worktrees and the agents' own sessions are not in it. " +
        'A store in PostgreSQL is backed up by its server.',
    )
    .argument('[file]', 'a file that is not there yet (default: handraise-DATE-TIME.db in this folder)')
    .option('--json', 'print the file and its size as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise backup\n  $ handraise backup /mnt/backup/monday.db\n')
    .action(backup);
}

async function backup(file: string | undefined, { json }: { readonly json?: true }): Promise<void> {
  const client = await readyClient();
  const report = await client.backUp({ file: resolve(file ?? usualName(new Date())) });
  if (json) writeJson(report);
  else writeLine(plainLine(report.file));
  const { store } = report;
  writeMessage(
    `Wrote ${byteWords(report.bytes)}. To go back to it: handraise down --stop-agents, then ` +
      `cp ${plainLine(report.file)} ${plainLine(store)} and rm -f ${plainLine(store)}-wal, then handraise up.`,
  );
}

/** In the order of time when it is sorted by name. */
function usualName(now: Date): string {
  return `handraise-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.db`;
}
