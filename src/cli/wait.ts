import type { Command } from 'commander';
import type { Client } from '../client/client.js';
import { timeTaken } from '../domain/outcome-words.js';
import type { Dispatch } from '../protocol/dispatch.js';
import { ExitCode } from '../protocol/exit-code.js';
import type { DispatchId } from '../protocol/id.js';
import { readyClient } from './background-worker.js';
import { findDispatch } from './find-id.js';
import { followDispatch } from './follow/follow-dispatch.js';
import { tellConnection } from './follow/watchers.js';
import { toSeconds } from './number-option.js';
import { writeJson, writeMessage } from './output.js';
import { coloursOf } from './terminal/colours.js';
import { LiveScreen } from './terminal/live-screen.js';
import { outcomeLine } from './view/outcome-lines.js';

/** `handraise wait`: until work has ended; exits as its outcome says. */
export function addWait(program: Command): void {
  program
    .command('wait')
    .summary('wait until work has ended')
    .description(
      'Waits until a dispatch, or the newest one of a thread, has ended, and exits with its exit code.',
    )
    .argument('<id>', 'a dispatch or a thread; the beginning of its id is enough')
    .option('--timeout <seconds>', 'give up waiting and exit 75; the work goes on', toSeconds)
    .option('--json', 'print the dispatch as JSON')
    .addHelpText('after', examples)
    .action(wait);
}

const examples = `
Examples:
  $ handraise wait dsp_01k9x && ./deploy
  $ handraise wait thr_01k9w --timeout 600 --json
`;

async function wait(text: string, { timeout, json }: { timeout?: number; json?: true }): Promise<void> {
  const client = await readyClient();
  const id = await findDispatch(client, text);
  const signal = timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout * 1000);
  const dispatch = await ended(client, id, signal);
  if (!dispatch?.outcome) {
    writeMessage(`${id} has not ended after ${timeout} s; it goes on`);
    if (json) writeJson(await client.dispatches.get(id));
    process.exitCode = ExitCode.tempFail;
    return;
  }
  if (json) writeJson(dispatch);
  else
    process.stderr.write(
      `${outcomeLine(dispatch.outcome, coloursOf(process.stderr), timeTaken(dispatch))}\n`,
    );
  process.exitCode = dispatch.outcome.exitCode;
}

// Its events are followed, and not a request held open, because only they survive a restart of the worker.
async function ended(client: Client, id: DispatchId, signal: AbortSignal): Promise<Dispatch | undefined> {
  const dispatch = await client.dispatches.get(id);
  if (dispatch.state === 'ended') return dispatch;
  const after = (await client.threads.get(dispatch.threadId)).lastSeq;
  const now = await client.dispatches.get(id);
  if (now.state === 'ended') return now;
  writeMessage(`waiting for ${id}`);
  using screen = new LiveScreen({
    data: process.stdout,
    messages: process.stderr,
    colours: coloursOf(process.stderr),
    now: Date.now,
  });
  screen.work(now.why ?? now.state);
  const watcher = { event: () => {}, connection: tellConnection };
  return await followDispatch({ client, dispatch: now, after, live: false, signal, watcher });
}
