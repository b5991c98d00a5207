import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { homeFolder } from '../../compose.js';
import { findProcess } from '../../process/families/process-table.js';
import { signalProcess } from '../../process/families/signal-process.js';
import { answers, ensureWorker, holderOf, leavingArgs } from '../background-worker.js';
import { refuseInsideAgent } from '../inside-agent.js';
import { writeJson, writeMessage } from '../output.js';
import { underWayWords, workUnderWay } from '../still-at-work.js';
import { isElsewhere, openClient } from '../worker-address.js';

const lookEveryMs = 25;
const politeMs = 5000;

/** `handraise down`: ends the worker, and says what goes on without it. */
export function addDown(program: Command): void {
  program
    .command('down')
    .summary('stop the worker; agents keep running')
    .description(
      'Stops the worker. Agents keep running without it, unless you stop them too with --stop-agents.',
    )
    .option('--stop-agents', 'stop every agent first; their open questions are cancelled')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise down\n  $ handraise down --stop-agents\n')
    .action(down);
}

async function down({ stopAgents, json }: { stopAgents?: true; json?: true }): Promise<void> {
  const home = homeFolder(process.env);
  const isElsewhereOrUp = isElsewhere() || (await answers(home));
  if (!isElsewhereOrUp) {
    const wasHeld = await endHolder(home);
    // Agents outlive their worker; only a worker knows them all.
    if (stopAgents && existsSync(join(home, 'worker-id'))) {
      await ensureWorker(home, { args: leavingArgs });
    } else {
      if (!wasHeld) writeMessage('No worker is running.');
      if (json) writeJson({ wasRunning: wasHeld, underWay: [] });
      return;
    }
  }
  const client = openClient();
  const underWay = await workUnderWay(client);
  await client.shutdown(stopAgents ? { stopAgents } : {});
  while (await answers(home)) await sleep(lookEveryMs);
  writeMessage(
    `The worker has stopped. ${stopAgents ? stoppedWords(underWay.length) : underWayWords(underWay)}`,
  );
  if (json) writeJson({ wasRunning: true, underWay: stopAgents ? [] : underWay.map(({ id }) => id) });
}

/** Ends a worker that holds the home and answers nobody: agents go on without it, and nothing that was stored is lost. */
async function endHolder(home: string): Promise<boolean> {
  const holder = holderOf(home);
  if (!holder) return false;
  refuseInsideAgent('end a worker');
  writeMessage(`The worker (process ${holder.pid}) does not answer. Ending it.`);
  // Only this process: what it has started are its runners, and they stay.
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    signalProcess(holder, signal);
    const until = performance.now() + politeMs;
    while (findProcess(holder) && performance.now() < until) await sleep(lookEveryMs);
  }
  writeMessage('The worker has ended. Agents keep running; the next worker finds them again.');
  return true;
}

function stoppedWords(count: number): string {
  return count === 0
    ? 'No agent was working.'
    : count === 1
      ? 'Stopped 1 agent.'
      : `Stopped ${count} agents.`;
}
