import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { homeFolder } from '../compose.js';
import { answers } from './background-worker.js';
import { writeJson, writeMessage } from './output.js';
import { underWayWords, workUnderWay } from './still-at-work.js';
import { openClient } from './worker-address.js';

const lookEveryMs = 25;

/** `handraise down`: ends the worker, and says what goes on without it. */
export function addDown(program: Command): void {
  program
    .command('down')
    .summary('end the worker; agents go on')
    .description('Ends the worker. Agents go on without it, unless they are to be stopped too.')
    .option('--stop-agents', 'end every agent properly first; open questions are cancelled')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise down\n  $ handraise down --stop-agents\n')
    .action(down);
}

async function down({ stopAgents, json }: { stopAgents?: true; json?: true }): Promise<void> {
  const home = homeFolder(process.env);
  if (!(await answers(home))) {
    writeMessage('no worker is running');
    if (json) writeJson({ wasRunning: false, underWay: [] });
    return;
  }
  const client = openClient();
  const underWay = await workUnderWay(client);
  await client.shutdown(stopAgents ? { stopAgents } : {});
  while (await answers(home)) await sleep(lookEveryMs);
  writeMessage(
    `the worker has ended; ${stopAgents ? stoppedWords(underWay.length) : underWayWords(underWay)}`,
  );
  if (json) writeJson({ wasRunning: true, underWay: stopAgents ? [] : underWay.map(({ id }) => id) });
}

function stoppedWords(count: number): string {
  return count === 0
    ? 'no agent was at work'
    : count === 1
      ? '1 agent was stopped'
      : `${count} agents were stopped`;
}
