import { randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { homeFolder, loadObserving, processIdentity } from '../../compose.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { RuntimeName } from '../../protocol/posture.js';
import { ensureWorker, leavingArgs } from '../background-worker.js';
import { toPositive, toSeconds } from '../number-option.js';
import { appendedLines, pipeLines, sseLines } from '../observe/channel-lines.js';
import { observeLines, observeServer } from '../observe/observe-channels.js';
import { observeCommand } from '../observe/observe-command.js';
import { type ObservedFacts, ObserverReports } from '../observe/observer-reports.js';
import { lineWidth, seenJson, writeLine, writeMessage } from '../output.js';
import { effectiveSettings } from '../settings/effective-settings.js';
import { coloursOf } from '../terminal/colours.js';
import { observedTable } from '../view/observed-table.js';
import { statusCell } from '../view/status-mark.js';
import { watch } from '../watch.js';
import { isElsewhere, openClient } from '../worker-address.js';

/** `handraise observe`: agents that somebody started by hand, and what they do. */
export function addObserve(program: Command): void {
  program
    .command('observe')
    .summary('show the agents that were started by hand')
    .description(
      "Shows the agents that somebody started by hand, and what they do: Claude Code and Codex by what they write down themselves. With an option below, observes one more agent for as long as this command runs. They are in `handraise ls` and in the web console's home, too. `handraise adopt` makes a thread of a session that was left.",
    )
    .argument('[command...]', 'with --observable: the command to run, behind --')
    .option(
      '--stream-json <file>',
      'observe by what claude, amp or codex exec writes into this file as JSON lines',
    )
    .option('--pipe <path>', 'observe by the JSON lines that are written into this named pipe')
    .option('--sse <url>', 'observe by the messages of this event stream')
    .option('--opencode <url>', 'observe the sessions of this OpenCode server (OPENCODE_SERVER_PASSWORD)')
    .option('--observable', 'run the command here, and guess what it does from its output and its bell')
    .option('--idle-after <seconds>', 'with --observable: silence after which it counts as idle', toSeconds)
    .option('--pid <pid>', 'the process of the agent, to see when it ends', toPositive)
    .option('--runtime <name>', 'which kind of agent it is')
    .option('--title <text>', 'what to call it')
    .option('--install-hooks', 'put hooks into your Claude settings that tell what Claude Code asks, at once')
    .option('--remove-hooks', 'take those hooks out again')
    .option('-w, --watch', 'keep showing it, updated whenever it changes')
    .option('--json', 'print a JSON array; with -w one per change')
    .addHelpText('after', examples)
    .action(observe);
}

const examples = `
Examples:
  $ handraise observe -w
  $ handraise observe --install-hooks
  $ claude -p --output-format stream-json --verbose 'Fix it' >turns.jsonl & handraise observe --stream-json turns.jsonl --pid $!
  $ handraise observe --opencode http://127.0.0.1:4096
  $ handraise observe --observable -- my-agent --interactive
`;

interface ObserveOptions {
  readonly streamJson?: string;
  readonly pipe?: string;
  readonly sse?: string;
  readonly opencode?: string;
  readonly observable?: true;
  readonly idleAfter?: number;
  readonly pid?: number;
  readonly runtime?: string;
  readonly title?: string;
  readonly installHooks?: true;
  readonly removeHooks?: true;
  readonly watch?: true;
  readonly json?: true;
}

async function observe(command: readonly string[], options: ObserveOptions): Promise<void> {
  const { streamJson, pipe, sse, opencode, observable, installHooks, removeHooks } = options;
  const ways = { streamJson, pipe, sse, opencode, observable, installHooks, removeHooks };
  const chosen = Object.values(ways).filter((way) => way !== undefined).length;
  if (chosen > 1) throw new Failure('usage', 'Choose one way to observe at a time.');
  if (command.length > 0 !== (observable === true))
    throw new Failure('usage', 'A command is observed with: handraise observe --observable -- COMMAND');
  if (installHooks || removeHooks) return await changeHooks(installHooks === true);
  if (chosen === 0) return await show(options);
  process.exitCode = await follow(command, options);
}

async function changeHooks(isInstalling: boolean): Promise<void> {
  const hooks = await loadObserving();
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const file = isInstalling ? hooks.installHooks(env) : hooks.removeHooks(env);
  writeMessage(
    isInstalling
      ? `${file} has the hooks now. Sessions of Claude Code that start from now on use them. To take them out: handraise observe --remove-hooks`
      : `${file} has no hooks of Handraise.`,
  );
}

/** The first thing that somebody does with Handraise may be this. */
async function begin(): Promise<void> {
  if (!isElsewhere()) await ensureWorker(homeFolder(process.env), { args: leavingArgs });
}

async function show(options: ObserveOptions): Promise<void> {
  await begin();
  const client = openClient();
  const view = async () => {
    const sessions = await client.observed.list();
    if (options.json) return [seenJson(sessions)];
    if (sessions.length === 0) return [];
    const context = { now: Date.now(), width: lineWidth(process.stdout), colours: coloursOf(process.stdout) };
    return observedTable(sessions, context);
  };
  if (options.watch) return await watch(view);
  const lines = await view();
  for (const line of lines) writeLine(line);
  if (lines.length === 0) writeMessage('No agent that was started by hand is running.');
}

async function follow(command: readonly string[], options: ObserveOptions): Promise<number> {
  await begin();
  const stop = new AbortController();
  const colours = coloursOf(process.stdout);
  await using reports = new ObserverReports({
    client: openClient(),
    ensureWorker: begin,
    onNews: ({ facts, status }) => {
      // The terminal belongs to the command.
      if (options.observable) return;
      const { text, paint = String } = statusCell(status, colours);
      writeLine(`${paint(text)}  ${plainLine(facts.title)}`);
    },
  });
  if (options.observable) {
    const seconds =
      options.idleAfter ??
      effectiveSettings({ env: process.env, folder: process.cwd() }).values.observableIdleSeconds;
    const facts = { ...factsOf(options, { runtime: 'exec', title: command.join(' ') }), pid: process.pid };
    return await observeCommand(reports, { id: newId(), facts, command, idleAfterMs: seconds * 1000 });
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  writeMessage('Observing. Press Ctrl-C to end it; the agent goes on.');
  if (options.opencode !== undefined) {
    if (!/^https?:\/\//.test(options.opencode) || !URL.canParse(options.opencode))
      throw new Failure('usage', `--opencode needs an address such as http://127.0.0.1:4096.`);
    const password = process.env['OPENCODE_SERVER_PASSWORD'] ?? '';
    await observeServer(reports, { url: options.opencode, password, id: newId(), stop });
    return 0;
  }
  await observeLines(reports, {
    id: newId(),
    ...channel(options, stop.signal),
    process: named(options),
    stop,
  });
  return 0;
}

function channel(options: ObserveOptions, signal: AbortSignal) {
  const { streamJson, pipe, sse = '' } = options;
  if (streamJson !== undefined) {
    const facts = factsOf(options, { runtime: 'claude', title: basename(streamJson) });
    return { facts, source: 'stream-json', lines: appendedLines(resolve(streamJson), signal) };
  }
  if (pipe !== undefined) {
    const facts = factsOf(options, { runtime: 'exec', title: basename(pipe) });
    return { facts, source: 'pipe', lines: pipeLines(resolve(pipe), signal) };
  }
  const facts = factsOf(options, { runtime: 'exec', title: sse });
  return { facts, source: 'sse', lines: sseLines(sse, { signal, onBreak: () => {} }) };
}

function factsOf({ runtime, title, pid }: ObserveOptions, usual: ObservedFacts): ObservedFacts {
  const name = runtime === undefined ? usual.runtime : RuntimeName.safeParse(runtime).data;
  if (name === undefined) throw new Failure('usage', `There is no runtime ${runtime}.`);
  return {
    runtime: name,
    title: plainLine(title ?? usual.title, { maxLength: 200 }),
    workspace: process.cwd(),
    ...given({ pid }),
  };
}

function named({ pid }: ObserveOptions) {
  if (pid === undefined) return undefined;
  const identity = processIdentity(pid);
  if (identity) return identity;
  throw new Failure('usage', `No process has the pid ${pid}.`);
}

function newId(): string {
  return `observer-${randomUUID()}`;
}
