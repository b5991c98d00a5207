import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { timeTaken } from '../../domain/words/outcome-words.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import { workMark } from '../../domain/words/work-mark.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { Failure } from '../../protocol/failure.js';
import type { DispatchId } from '../../protocol/id.js';
import { readyClient } from '../background-worker.js';
import { findDispatch, findEach } from '../find-id.js';
import { followDispatch } from '../follow/follow-dispatch.js';
import { landingOf } from '../follow/landing-of.js';
import { tellConnection } from '../follow/watchers.js';
import { toSeconds } from '../number-option.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { LiveScreen } from '../terminal/live-screen.js';
import { tellLanding } from '../view/landing-view.js';
import { outcomeLine } from '../view/outcome-lines.js';

/** `handraise wait`: until work has ended; exits as its outcome says. */
export function addWait(program: Command): void {
  program
    .command('wait')
    .summary('wait until work ends')
    .description(
      'Waits until dispatches, or the newest dispatches of threads, have ended, and exits with their exit code.',
    )
    .argument('<id...>', 'dispatches or threads: ids, their first or last letters, names')
    .option('--all', 'wait until all of them have ended (the default)')
    .option('--any', 'wait until one of them has ended, and print its id')
    .option('--timeout <seconds>', 'stop waiting after this time and exit 75; the work continues', toSeconds)
    .option('--json', 'print each dispatch as JSON, one per line')
    .addHelpText('after', help)
    .action(wait);
}

const help = `
Examples:
  $ handraise wait dsp_01k9x && ./deploy
  $ handraise wait fix-login update-docs --timeout 600 --json
  $ handraise merge $(handraise wait --any fix-login fix-login-again)

Exit codes: with --all 0 if all succeeded, else the code of the first one, in your order, that did not; with --any the code
of the one that ended first; 75 if the time ran out before.
`;

interface WaitOptions {
  readonly all?: true;
  readonly any?: true;
  readonly timeout?: number;
  readonly json?: true;
}

async function wait(texts: readonly string[], options: WaitOptions): Promise<void> {
  const { any, timeout, json } = options;
  if (any && options.all) throw new Failure('usage', 'Choose one of --any and --all.');
  const client = await readyClient();
  const ids = await findEach(client, texts, findDispatch);
  const timeLimit =
    timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout * 1000);
  const ended = any ? await firstEnded(client, ids, timeLimit) : await allEnded(client, ids, timeLimit);
  const codes: number[] = [];
  for (const dispatch of ended) {
    const landing = await landingOf(client, dispatch);
    if (json) writeJson(dispatch);
    else if (any) writeLine(dispatch.id);
    tellOutcome(dispatch, { isNamed: ids.length > 1, isSilent: json === true });
    const landed = landing ? tellLanding(landing, { isJson: false }) : ExitCode.success;
    codes.push(dispatch.outcome?.exitCode || landed);
  }
  const left = any && ended.length > 0 ? [] : ids.filter((id) => !ended.some((each) => each.id === id));
  for (const id of left) {
    writeMessage(`Stopped waiting after ${timeout} s. ${id} has not ended and continues.`);
    if (json) writeJson(await client.dispatches.get(id));
  }
  const failed = codes.find((code) => code !== ExitCode.success);
  process.exitCode = left.length > 0 ? ExitCode.tempFail : (failed ?? ExitCode.success);
}

function tellOutcome(
  dispatch: Dispatch,
  how: { readonly isNamed: boolean; readonly isSilent: boolean },
): void {
  if (!dispatch.outcome || how.isSilent) return;
  const line = outcomeLine(dispatch.outcome, coloursOf(process.stderr), timeTaken(dispatch));
  process.stderr.write(`${how.isNamed ? `${dispatch.id}  ` : ''}${line}\n`);
}

/** All of these in their order, or those that ended before the signal. */
async function allEnded(
  client: Client,
  ids: readonly DispatchId[],
  signal: AbortSignal,
): Promise<Dispatch[]> {
  const before = await read(client, ids);
  using screen = newScreen();
  tellWaiting(
    screen,
    before.map(({ dispatch }) => dispatch).filter(({ state }) => state !== 'ended'),
  );
  const ended = await Promise.all(before.map(async (seen) => await end(client, seen, signal)));
  return ended.filter((dispatch) => dispatch !== undefined);
}

/** The one that ends first; of those that had ended already, the first one named. */
async function firstEnded(
  client: Client,
  ids: readonly DispatchId[],
  signal: AbortSignal,
): Promise<Dispatch[]> {
  const before = await read(client, ids);
  const over = before.find(({ dispatch }) => dispatch.state === 'ended');
  if (over) return [over.dispatch];
  using screen = newScreen();
  tellWaiting(
    screen,
    before.map(({ dispatch }) => dispatch),
  );
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const following = before.map((seen) => end(client, seen, until));
  const first = await Promise.race(following);
  stop.abort();
  await Promise.allSettled(following);
  return first ? [first] : [];
}

/** A dispatch as it was seen, with the place in its thread from which its events are to be followed. */
interface Seen {
  readonly dispatch: Dispatch;
  readonly after: number;
}

async function read(client: Client, ids: readonly DispatchId[]): Promise<Seen[]> {
  return await Promise.all(
    ids.map(async (id) => {
      const { threadId } = await client.dispatches.get(id);
      const after = (await client.threads.get(threadId)).lastSeq;
      return { dispatch: await client.dispatches.get(id), after };
    }),
  );
}

function newScreen(): LiveScreen {
  return new LiveScreen({
    data: process.stdout,
    messages: process.stderr,
    colours: coloursOf(process.stderr),
    now: Date.now,
  });
}

/** Says what is waited for; nothing where nothing is. */
function tellWaiting(screen: LiveScreen, open: readonly Dispatch[]): void {
  const [first] = open;
  if (!first) return;
  const isOne = open.length === 1;
  writeMessage(`Waiting for ${isOne ? first.id : `${open.length} pieces of work`} to end.`);
  screen.work(isOne ? queuedWords(first, Date.now()) || workMark(first).word : 'waiting');
}

// Its events are followed, and not a request held open, because only they survive a restart of the worker.
async function end(
  client: Client,
  { dispatch, after }: Seen,
  signal: AbortSignal,
): Promise<Dispatch | undefined> {
  if (dispatch.state === 'ended') return dispatch;
  const watcher = { event: () => {}, connection: tellConnection };
  return await followDispatch({ client, dispatch, after, live: false, signal, watcher });
}
