import type { Command } from 'commander';
import { readyClient } from '../background-worker.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { readThreadFile } from '../thread-file.js';

/** `handraise import`: reads a thread from a file. */
export function addImport(program: Command): void {
  program
    .command('import')
    .summary('read a thread from a file')
    .description(
      'Reads a thread that handraise export has written. It is archived and stays so: it can be read and searched, and nothing of it is run.',
    )
    .argument('<file>', 'what handraise export has written, compressed or not')
    .option('--json', 'print the thread as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise import thr_01k9w….jsonl.gz\n  $ handraise ls --archived\n',
    )
    .action(importThread);
}

async function importThread(file: string, { json }: { json?: true }): Promise<void> {
  const request = readThreadFile(file);
  const client = await readyClient();
  const thread = await client.threads.import(request);
  if (json) writeJson(thread);
  else writeLine(thread.id);
  writeMessage(`Imported as ${thread.id}. Read it with: handraise logs ${thread.id}`);
}
