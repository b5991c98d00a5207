import type { Command } from 'commander';
import { age } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { WorkerReport } from '../../protocol/api.js';
import { readyClient } from '../background-worker.js';
import { lineWidth, seenJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { tableLines } from '../terminal/table.js';

// Heartbeats come every ten seconds at most.
const silentMs = 60_000;

/** `handraise worker`: the workers that share a database. */
export function addWorker(program: Command): void {
  const worker = program
    .command('worker')
    .summary('list the workers that share a database, or drain one')
    .description(
      'Lists the workers that share a database, and lets one take no new work (docs/postgres.md).',
    );
  worker
    .command('ls')
    .description('Lists the workers, with what they have under way.')
    .option('--json', 'print it as JSON')
    .action(list);
  worker
    .command('drain')
    .argument('<worker>', 'its name or id')
    .description(
      'Lets a worker take no new work. What runs there ends there; what rests and can be had elsewhere is handed over.',
    )
    .option('--undo', 'let it take work again')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise worker drain build-1\n  $ handraise worker drain --undo build-1\n',
    )
    .action(drain);
}

async function list({ json }: { readonly json?: true }): Promise<void> {
  const workers = await (await readyClient()).workers();
  if (json) return writeLine(seenJson({ workers }));
  const columns = ['NAME', 'STATE', 'LABELS', 'SLOTS', 'UNDER WAY', 'LAST SIGNAL'].map((header) => ({
    header,
  }));
  const now = Date.now();
  const rows = workers.map((worker) =>
    [
      plainLine(worker.name),
      stateOf(worker, now),
      plainLine((worker.labels ?? []).join(', ')),
      String(worker.slots ?? ''),
      String(worker.underWay ?? ''),
      `${age(worker.heartbeatAt, now)} ago`,
    ].map((text) => ({ text })),
  );
  const { dim } = coloursOf(process.stdout);
  const lines = tableLines(columns, rows, { width: lineWidth(process.stdout), paintHeader: dim });
  for (const line of lines) writeLine(line);
}

async function drain(
  which: string,
  { undo = false, json }: { readonly undo?: boolean; readonly json?: true },
): Promise<void> {
  const worker = await (await readyClient()).drainWorker(which, !undo);
  if (json) return writeLine(seenJson(worker));
  const name = plainLine(worker.name);
  if (undo) return writeMessage(`${name} takes work again.`);
  const left = worker.underWay ?? 0;
  writeMessage(
    left === 0
      ? `${name} takes no new work, and nothing is under way there. It can be stopped.`
      : `${name} takes no new work. ${left} still under way there. To see how many are left: handraise worker ls`,
  );
}

function stateOf({ heartbeatAt, drainingSince }: WorkerReport, now: number): string {
  if (now - Date.parse(heartbeatAt) > silentMs) return 'no signal';
  return drainingSince === undefined ? 'running' : 'draining';
}
