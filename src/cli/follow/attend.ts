import type { Client } from '../../client/client.js';
import type { Fact, FollowedEvent } from '../../client/thread-event.js';
import type { Asker } from '../../domain/words/ask-words.js';
import { timeTaken } from '../../domain/words/outcome-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { Failure } from '../../protocol/failure.js';
import { writeJson, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { LiveScreen } from '../terminal/live-screen.js';
import { tellLanding } from '../view/landing-view.js';
import { outcomeLine } from '../view/outcome-lines.js';
import { howToAnswer } from '../view/prompt-card.js';
import { Transcript } from '../view/transcript.js';
import { Attendant, type Leave } from './attendant.js';
import { changedLine } from './changed-line.js';
import { followDispatch, type Watcher } from './follow-dispatch.js';
import { landingOf } from './landing-of.js';
import { tellQueued } from './tell-queued.js';
import { jsonWatcher, ScreenWatcher } from './watchers.js';
import { WorkerReplacement } from './worker-replacement.js';

export interface AttendOptions {
  readonly client: Client;
  readonly dispatch: Dispatch;
  /** Whose agent asks. */
  readonly asker: Asker | undefined;
  readonly after: number;
  readonly exitsOnQuestion: boolean;
  /** Questions end the work, so nobody needs to hear how to answer one. */
  readonly isRefusing: boolean;
  readonly isJson: boolean;
  /** Whether the person is told how to go on afterwards. */
  readonly hasHint: boolean;
}

/** Why a dispatch is not followed any more although it has not ended. */
type Parting = Leave | 'terminated' | 'question';

/** Follows a dispatch with whoever started it, and returns the exit code. */
export async function attend(options: AttendOptions): Promise<number> {
  const { client, dispatch, asker, isJson } = options;
  const isAttended = !isJson && process.stdin.isTTY && process.stderr.isTTY;
  const ending = new AbortController();
  let parting: Parting | undefined;
  let cancelling: Promise<void> | undefined;
  const part = (why: Parting) => {
    parting ??= why;
    // What is cancelled is followed to its end, unless the person cannot wait for it.
    if (why === 'cancel' && !cancelling) cancelling = cancel(client, dispatch);
    else ending.abort();
  };

  using screen = new LiveScreen({
    data: process.stdout,
    messages: process.stderr,
    colours: coloursOf(process.stderr),
    now: Date.now,
  });
  const begun = new AbortController();
  if (!isJson) {
    screen.work('Queued');
    void tellQueued(client, { id: dispatch.id, signal: begun.signal, tell: (why) => tellWait(screen, why) });
  }
  let ended: Dispatch | undefined;
  {
    await using attendant = isAttended ? new Attendant({ client, asker, screen, onLeave: part }) : undefined;
    const stopListening = onSignals({
      SIGINT: () => (attendant ? attendant.interrupt() : part('cancel')),
      SIGTERM: () => part('terminated'),
    });
    const shown = isJson
      ? jsonWatcher
      : new ScreenWatcher({
          screen,
          transcript: new Transcript({ asker, colours: coloursOf(process.stderr), now: Date.now }),
          isAskedElsewhere: isAttended && !options.exitsOnQuestion,
        });
    const replacement = new WorkerReplacement((words) =>
      isJson ? writeMessage(words) : screen.tell(`- ${words}`),
    );
    const watcher = noticing(shown, {
      broke: () => replacement.begin(),
      begun: () => begun.abort(),
      asked: (fact) => {
        if (options.exitsOnQuestion) part('question');
        else if (attendant) attendant.asked(fact.promptId);
        else if (!options.isRefusing) tellHowToAnswer(fact.item.metadata.prompt, screen, isJson);
      },
      settled: (fact) => attendant?.settled(fact.promptId),
    });
    try {
      ended = await followDispatch({ ...options, live: isAttended, signal: ending.signal, watcher });
      await cancelling;
    } finally {
      stopListening();
      begun.abort();
    }
  }
  screen[Symbol.dispose]();
  if (ended) return await tellEnd(ended, options);
  return tellParting(parting ?? 'detach', dispatch);
}

type AskedPrompt = Extract<Fact, { type: 'prompt_asked' }>['item']['metadata']['prompt'];

interface Noticed {
  readonly broke: () => void;
  readonly begun: () => void;
  readonly asked: (fact: Extract<Fact, { type: 'prompt_asked' }>) => void;
  readonly settled: (fact: Extract<Fact, { type: 'prompt_settled' }>) => void;
}

function noticing(watcher: Watcher, { broke, begun, asked, settled }: Noticed): Watcher {
  return {
    event: (event: FollowedEvent, fact) => {
      begun();
      if (fact?.type === 'prompt_settled') settled(fact);
      watcher.event(event, fact);
      if (fact?.type === 'prompt_asked') asked(fact);
    },
    connection: (isThere) => watcher.connection(isThere),
    broke,
  };
}

function onSignals(handlers: Readonly<Partial<Record<NodeJS.Signals, () => void>>>): () => void {
  const pairs = Object.entries(handlers);
  for (const [signal, handler] of pairs) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of pairs) process.off(signal, handler);
  };
}

function tellWait(screen: LiveScreen, why: string): void {
  screen.work(`Queued: ${why}`);
  if (!process.stderr.isTTY) screen.tell(`- Queued: ${plainLine(why)}`);
}

async function cancel(client: Client, dispatch: Dispatch): Promise<void> {
  try {
    await client.dispatches.cancel(dispatch.id);
  } catch (error) {
    // It may have ended by itself at the same moment.
    if (!(error instanceof Failure && error.code === 'conflict')) throw error;
  }
}

function tellHowToAnswer(prompt: AskedPrompt, screen: LiveScreen, isJson: boolean): void {
  const how = `Answer it with: ${howToAnswer(prompt, prompt.prompt_id)}`;
  if (isJson) writeMessage(how);
  else screen.tell(`  ${how}`);
}

async function tellEnd(dispatch: Dispatch, options: AttendOptions): Promise<number> {
  const { client, isJson, hasHint } = options;
  const { outcome, threadId } = dispatch;
  if (!outcome) throw new Failure('internal', `${dispatch.id} ended without an outcome.`);
  if (isJson) {
    const landing = await landingOf(client, dispatch);
    const code = landing ? tellLanding(landing, { isJson: false }) : outcome.exitCode;
    writeJson(dispatch);
    return code;
  }
  const colours = coloursOf(process.stderr);
  const next =
    outcome.result === 'succeeded'
      ? `Continue with: handraise run --thread ${threadId} "TEXT"`
      : `Details: handraise show ${dispatch.id}   Try again: handraise retry ${dispatch.id}`;
  process.stderr.write(`${outcomeLine(outcome, colours, timeTaken(dispatch))}\n`);
  const landing = await landingOf(client, dispatch);
  if (landing) return tellLanding(landing, { isJson: false });
  const changed = hasHint ? await changedLine(client, threadId) : undefined;
  if (changed !== undefined) process.stderr.write(`${changed}\n`);
  if (hasHint) process.stderr.write(`${colours.dim(next)}\n`);
  return outcome.exitCode;
}

function tellParting(parting: Parting, { id }: Dispatch): number {
  switch (parting) {
    case 'question':
      writeMessage(`The agent is waiting for an answer. See the question with: handraise inbox`);
      return ExitCode.blocked;
    case 'terminated':
      writeMessage(`Detached. The agent keeps working. Follow it again with: handraise logs -f ${id}`);
      return ExitCode.terminated;
    case 'cancel':
    case 'detach':
      writeMessage(`Detached. The agent keeps working. Follow it again with: handraise logs -f ${id}`);
      return ExitCode.interrupted;
    default:
      return parting satisfies never;
  }
}
