import type { Client } from '../../client/client.js';
import type { Fact, ThreadEvent } from '../../client/thread-event.js';
import { timeTaken } from '../../domain/outcome-words.js';
import { plainLine } from '../../domain/plain-text.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { Failure } from '../../protocol/failure.js';
import { writeJson, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { LiveScreen } from '../terminal/live-screen.js';
import { outcomeLine } from '../view/outcome-lines.js';
import { howToAnswer } from '../view/prompt-card.js';
import { Transcript } from '../view/transcript.js';
import { Attendant, type Leave } from './attendant.js';
import { followDispatch, type Watcher } from './follow-dispatch.js';
import { tellQueued } from './tell-queued.js';
import { jsonWatcher, ScreenWatcher } from './watchers.js';

export interface AttendOptions {
  readonly client: Client;
  readonly dispatch: Dispatch;
  readonly after: number;
  readonly exitsOnQuestion: boolean;
  /** Questions end the work, so nobody needs to hear how to answer one. */
  readonly isRefusing: boolean;
  readonly isJson: boolean;
}

/** Why a dispatch is not followed any more although it has not ended. */
type Parting = Leave | 'terminated' | 'question';

/** Follows a dispatch with whoever started it, and returns the exit code. */
export async function attend(options: AttendOptions): Promise<number> {
  const { client, dispatch, isJson } = options;
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
    screen.work('queued');
    void tellQueued(client, { id: dispatch.id, signal: begun.signal, tell: (why) => tellWait(screen, why) });
  }
  let ended: Dispatch | undefined;
  {
    await using attendant = isAttended ? new Attendant({ client, screen, onLeave: part }) : undefined;
    const stopListening = onSignals({
      SIGINT: () => (attendant ? attendant.interrupt() : part('cancel')),
      SIGTERM: () => part('terminated'),
    });
    const shown = isJson
      ? jsonWatcher
      : new ScreenWatcher({
          screen,
          transcript: new Transcript({ colours: coloursOf(process.stderr), now: Date.now }),
          isAskedElsewhere: isAttended && !options.exitsOnQuestion,
        });
    const watcher = noticing(shown, {
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
  if (ended) return tellEnd(ended, isJson);
  return tellParting(parting ?? 'detach', dispatch);
}

type AskedPrompt = Extract<Fact, { type: 'prompt_asked' }>['item']['metadata']['prompt'];

interface Noticed {
  readonly begun: () => void;
  readonly asked: (fact: Extract<Fact, { type: 'prompt_asked' }>) => void;
  readonly settled: (fact: Extract<Fact, { type: 'prompt_settled' }>) => void;
}

function noticing(watcher: Watcher, { begun, asked, settled }: Noticed): Watcher {
  return {
    event: (event: ThreadEvent, fact) => {
      begun();
      if (fact?.type === 'prompt_settled') settled(fact);
      watcher.event(event, fact);
      if (fact?.type === 'prompt_asked') asked(fact);
    },
    connection: (isThere) => watcher.connection(isThere),
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
  screen.work(`queued: ${why}`);
  if (!process.stderr.isTTY) screen.tell(`- queued: ${plainLine(why)}`);
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
  const how = `answer with: ${howToAnswer(prompt.kind, prompt.prompt_id)}`;
  if (isJson) writeMessage(how);
  else screen.tell(`  ${how}`);
}

function tellEnd(dispatch: Dispatch, isJson: boolean): number {
  const { outcome, threadId } = dispatch;
  if (!outcome) throw new Failure('internal', `${dispatch.id} ended without an outcome`);
  if (isJson) {
    writeJson(dispatch);
    return outcome.exitCode;
  }
  const colours = coloursOf(process.stderr);
  const next =
    outcome.result === 'succeeded'
      ? `go on with: handraise run --thread ${threadId} "…"`
      : `look closer: handraise show ${dispatch.id}   try again: handraise retry ${dispatch.id}`;
  process.stderr.write(`${outcomeLine(outcome, colours, timeTaken(dispatch))}\n${colours.dim(next)}\n`);
  return outcome.exitCode;
}

function tellParting(parting: Parting, { id }: Dispatch): number {
  switch (parting) {
    case 'question':
      writeMessage(`the agent asks; handraise inbox shows it, handraise wait ${id} waits for the end`);
      return ExitCode.blocked;
    case 'terminated':
      writeMessage(`detached; the agent goes on. handraise logs -f ${id} follows it again`);
      return ExitCode.terminated;
    case 'cancel':
    case 'detach':
      writeMessage(`detached; the agent goes on. handraise logs -f ${id} follows it again`);
      return ExitCode.interrupted;
    default:
      return parting satisfies never;
  }
}
