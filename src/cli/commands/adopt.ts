import { resolve } from 'node:path';
import type { Command } from 'commander';
import { homeFolder } from '../../compose.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { RuntimeName } from '../../protocol/posture.js';
import { ensureWorker, leavingArgs } from '../background-worker.js';
import { lineWidth, writeJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { sessionTable } from '../view/session-table.js';
import { isElsewhere, openClient } from '../worker-address.js';

interface AdoptOptions {
  readonly all?: true;
  readonly runtime?: string;
  readonly name?: string;
  readonly json?: true;
}

/** `handraise adopt`: sessions that were started by hand become threads. */
export function addAdopt(program: Command): void {
  program
    .command('adopt')
    .summary('make a thread of a session that you started by hand')
    .description(
      "Without SESSION, lists the sessions that were started by hand in this folder and below it, from the agents' own stores, newest first. " +
        'With SESSION, makes it a thread: with what was said so far, in the folder that it was started in. The next message goes on with it.',
    )
    .argument('[session]', 'the id of a session, or its first letters')
    .option('--all', 'list those of all folders')
    .option('--runtime <name>', 'the agent whose session it is')
    .option('--name <name>', 'a name for the new thread')
    .option('--json', 'print JSON: the thread, or each session on a line')
    .addHelpText('after', '\nExamples:\n  $ handraise adopt\n  $ handraise adopt 5f3a91c0 --name fix-login\n')
    .action(adopt);
}

async function adopt(sessionId: string | undefined, options: AdoptOptions): Promise<void> {
  const runtime = options.runtime === undefined ? undefined : runtimeFrom(options.runtime);
  // The first thing that somebody does with Handraise may be this.
  if (!isElsewhere()) await ensureWorker(homeFolder(process.env), { args: leavingArgs });
  const client = openClient();
  if (sessionId !== undefined) {
    const thread = await client.terminals.adopt({ sessionId, ...given({ runtime, name: options.name }) });
    if (options.json) writeJson(thread);
    else writeLine(thread.id);
    writeMessage(`To go on with it: handraise send ${thread.id} TEXT, or handraise attach ${thread.id}`);
    return;
  }
  const folder = resolve('.');
  const found = await client.terminals.sessions(options.all ? {} : { workspace: folder });
  const sessions = found.filter((each) => runtime === undefined || each.runtime === runtime);
  if (options.json) for (const session of sessions) writeJson(session);
  else if (sessions.length === 0)
    writeMessage(
      options.all
        ? 'There are no sessions that were started by hand.'
        : `No session was started by hand in ${folder}. Those of all folders: handraise adopt --all`,
    );
  else {
    const width = lineWidth(process.stdout);
    const colours = coloursOf(process.stdout);
    for (const line of sessionTable(sessions, { now: Date.now(), width, colours })) writeLine(line);
  }
}

function runtimeFrom(text: string): RuntimeName {
  const runtime = RuntimeName.safeParse(text);
  if (runtime.success) return runtime.data;
  throw new Failure('usage', `There is no runtime ${text}. See all with: handraise adopt --help`);
}
