import type { Command } from 'commander';
import { Client } from '../client/client.js';
import { homeFolder } from '../compose.js';
import { plainLine } from '../domain/words/plain-text.js';
import { settingKeys } from './settings/settings.js';
import { workerAddress } from './worker-address.js';

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

type Source = (client: Client) => Promise<Candidate[]>;

const threads: Source = async (client) => {
  const { threads } = await client.threads.list({ limit: 200, order: 'newest_first' });
  return threads.flatMap(({ id, name, title, status }) => {
    const about = `${status.state}: ${title}`;
    return [id, ...(name === undefined ? [] : [name])].map((word) => ({ word, about }));
  });
};

const dispatches: Source = async (client) => {
  const { dispatches } = await client.dispatches.list({ limit: 200, order: 'newest_first' });
  return dispatches.map(({ id, state, title, text }) => ({ word: id, about: `${state}: ${title ?? text}` }));
};

const prompts: Source = async (client) =>
  (await client.prompts.open()).map(({ id, questions }) => ({
    word: id,
    about: questions[0]?.question ?? '',
  }));

/** Which ids the first argument of a command may be. */
const sources: Readonly<Record<string, readonly Source[]>> = {
  show: [threads, dispatches, prompts],
  logs: [threads, dispatches],
  diff: [threads, dispatches],
  comments: [threads],
  merge: [threads],
  apply: [threads],
  pr: [threads],
  discard: [threads],
  rename: [threads],
  archive: [threads],
  snooze: [threads],
  rm: [threads],
  export: [threads],
  send: [threads],
  status: [threads],
  cancel: [dispatches],
  retry: [dispatches],
  wait: [dispatches, threads],
  answer: [prompts],
  approve: [prompts],
  deny: [prompts],
};

// A shell waits for this while a person waits for the shell.
const answerWithinMs = 1000;

/** What the last of these words may become. */
export async function candidatesFor(program: Command, words: readonly string[]): Promise<Candidate[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { command, rest } = commandOf(program, before);
  const found = typed.startsWith('-') ? options(command) : await operands(command, before.at(-1), rest);
  return found
    .filter(({ word }) => word.startsWith(typed))
    .map(({ word, about }) => ({ word, about: plainLine(about, { maxLength: 80 }) }));
}

function commandOf(program: Command, words: readonly string[]): { command: Command; rest: string[] } {
  const rest: string[] = [];
  let command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next && rest.length === 0) command = next;
    else if (!word.startsWith('-')) rest.push(word);
  }
  return { command, rest };
}

function options(command: Command): Candidate[] {
  const visible = command.createHelp().visibleOptions(command);
  return visible.map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description }));
}

async function operands(command: Command, previous: string | undefined, rest: readonly string[]) {
  const option = command.options.find(({ long, short }) => previous === long || previous === short);
  if (option?.argChoices) return option.argChoices.map((word) => ({ word, about: option.description }));
  if (option?.long === '--thread' && option.required) return live([threads]);
  if (option?.required) return [];
  if (command.commands.length > 0) return subcommands(command);
  const argument = command.registeredArguments[rest.length];
  if (argument?.argChoices) return argument.argChoices.map((word) => ({ word, about: argument.description }));
  if (argument?.name() === 'key') return settingKeys.map((word) => ({ word, about: 'setting' }));
  // The last argument may stand for several.
  const isId = rest.length === 0 || command.registeredArguments[0]?.variadic === true;
  return isId ? live(sources[command.name()] ?? []) : [];
}

function subcommands(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((each) => ({ word: each.name(), about: each.summary() || each.description() }));
}

/** Ids as the worker has them; without a worker there are none, and none is started for it. */
async function live(wanted: readonly Source[]): Promise<Candidate[]> {
  try {
    const address = await workerAddress(homeFolder(process.env));
    if (!address) return [];
    const signal = AbortSignal.timeout(answerWithinMs);
    const client = new Client({ ...address, fetch: (input, init) => fetch(input, { ...init, signal }) });
    return (await Promise.all(wanted.map((source) => source(client)))).flat();
  } catch {
    return [];
  }
}
