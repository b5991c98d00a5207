import type { Client } from '../../client/client.js';
import { factOf } from '../../client/thread-event.js';
import { nextMorning, snoozedFor, snoozedUntil } from '../../domain/thread/snooze-times.js';
import { age } from '../../domain/words/age.js';
import { askWords } from '../../domain/words/ask-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { threadSentence } from '../../domain/words/thread-sentence.js';
import { isOpenPrompt, type Overview, openPrompts } from '../../live/overview.js';
import { OverviewStore } from '../../live/overview-store.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import type { PromptId, ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import { AnswerPlace } from '../ask/answer-here.js';
import { attachThread } from '../attach-thread.js';
import { WorkerReplacement } from '../follow/worker-replacement.js';
import { palette } from '../terminal/colours.js';
import { readTypedLine } from '../terminal/keyboard.js';
import { fileLines } from '../view/change-view.js';
import { Transcript } from '../view/transcript.js';
import { workSettings } from '../work-options.js';
import { workRequest } from '../work-request.js';
import { homeRows, type NeedGroup, needGroupOf, waitingSince } from './home-list.js';
import { chipOf } from './home-view.js';

const noColours = palette({ isColoured: false });
const lastEvents = 200;

interface PlainCommand {
  readonly word: string;
  /** What follows it. */
  readonly takes: string;
  readonly words: string;
  readonly run: (console: PlainConsole, rest: string) => Promise<void>;
}

/** Every command of the linear console; the help is made of it. */
const plainCommands: readonly PlainCommand[] = [
  { word: 'list', takes: '', words: 'all work, by need', run: (each) => each.list('') },
  {
    word: 'answer',
    takes: '[NUMBER]',
    words: 'answer what waits for you, the oldest first',
    run: (each, rest) => each.answer(rest),
  },
  { word: 'open', takes: 'NUMBER', words: 'read the end of a thread', run: (each, rest) => each.open(rest) },
  { word: 'diff', takes: 'NUMBER', words: 'what its agent changed', run: (each, rest) => each.diff(rest) },
  { word: 'write', takes: 'NUMBER TEXT', words: 'write to its agent', run: (each, rest) => each.write(rest) },
  {
    word: 'interrupt',
    takes: 'NUMBER',
    words: 'interrupt its agent',
    run: (each, rest) => each.interrupt(rest),
  },
  {
    word: 'attach',
    takes: 'NUMBER',
    words: "open it in the agent's own program",
    run: (each, rest) => each.attach(rest),
  },
  {
    word: 'new',
    takes: 'TEXT',
    words: 'give new work, in this folder',
    run: (each, rest) => each.giveWork(rest),
  },
  { word: 'search', takes: 'WORDS', words: 'find work by its words', run: (each, rest) => each.list(rest) },
  {
    word: 'snooze',
    takes: 'NUMBER [TIME]',
    words: 'see it again later: 4h, 17:30, monday; without a time tomorrow at 8:00; no takes it back',
    run: (each, rest) => each.snooze(rest),
  },
  { word: 'help', takes: '', words: 'these commands', run: (each) => each.help() },
];

/** The console in lines: one for each change, none drawn twice, and questions on lines of their own. For screen readers. */
export async function openPlainConsole(client: Client): Promise<void> {
  const ending = new AbortController();
  const overview = new OverviewStore(client);
  const console = new PlainConsole(client, overview);
  const replacement = new WorkerReplacement((words) => console.say(words));
  let isBroken = false;
  overview.subscribe(() => {
    const now = overview.overview;
    if (now.connection.kind === 'reconnecting') replacement.begin();
    if (now.connection.kind === 'reconnecting' && !isBroken)
      console.say('The worker is gone; agents go on. Waiting for a worker.');
    if (now.connection.kind === 'live' && isBroken) console.say('The worker is back.');
    isBroken = now.connection.kind === 'reconnecting';
    console.tellChanges(now);
  });
  const following = overview.follow(ending.signal);
  try {
    console.say('Handraise, in lines. Type help for the commands, quit to leave; agents go on.');
    await console.serve();
  } finally {
    ending.abort();
    await following;
  }
}

class PlainConsole {
  readonly #client: Client;
  readonly #overview: OverviewStore;
  /** What each thread was told as last; a number belongs to a thread for as long as the console is open. */
  readonly #told = new Map<
    ThreadId,
    { readonly number: number; readonly group: NeedGroup; readonly word: string }
  >();
  readonly #asked = new Set<PromptId>();
  #hasBegun = false;
  #isBusy = false;

  constructor(client: Client, overview: OverviewStore) {
    this.#client = client;
    this.#overview = overview;
  }

  /** Takes commands until the person leaves. */
  async serve(): Promise<void> {
    for (;;) {
      const typed = await readTypedLine({ ask: '> ', signal: new AbortController().signal });
      if (typed.kind !== 'line') return;
      const [, word = '', rest = ''] = /^\s*(\S*)\s*(.*)$/s.exec(typed.text) ?? [];
      if (word !== '' && 'quit'.startsWith(word.toLowerCase())) return;
      if (word !== '') await this.#run(word.toLowerCase(), rest.trim());
    }
  }

  say(line: string): void {
    process.stdout.write(`${plainLine(line, { maxLength: 2000 })}\n`);
  }

  /** A line for each thread that needs something else than before, and for each question. */
  tellChanges(now: Overview): void {
    if (!now.isPresent) return;
    for (const thread of now.threads.values()) this.#tellThread(thread);
    for (const prompt of openPrompts(now)) {
      if (this.#asked.has(prompt.id)) continue;
      this.#asked.add(prompt.id);
      const thread = now.threads.get(prompt.threadId);
      if (thread && !this.#isBusy)
        this.say(`${this.#numberOf(thread)}. ${askWords(prompt, thread)} Type: answer`);
    }
    this.#hasBegun = true;
  }

  #tellThread(thread: Thread): void {
    const group = needGroupOf(thread, Date.now());
    const { word } = chipOf({ thread, prompt: undefined, group }, noColours);
    const before = this.#told.get(thread.id);
    if (before?.group === group && before.word === word) return;
    const number = before?.number ?? this.#told.size + 1;
    this.#told.set(thread.id, { number, group, word });
    if (this.#hasBegun && !this.#isBusy && group !== 'Needs you')
      this.say(`${number}. ${word}: ${plainLine(thread.title, { maxLength: 200 })}`);
  }

  #numberOf({ id }: Thread): number {
    return this.#told.get(id)?.number ?? 0;
  }

  async #run(word: string, rest: string): Promise<void> {
    const command = plainCommands.find((each) => each.word.startsWith(word));
    if (!command) return this.say(`There is no command ${word}. Type help for the commands.`);
    this.#isBusy = true;
    try {
      await command.run(this, rest);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.say(errorSentence(error));
    } finally {
      this.#isBusy = false;
    }
  }

  async help(): Promise<void> {
    for (const { word, takes, words } of plainCommands) this.say(`${word} ${takes}: ${words}`);
    this.say('quit: leave; agents go on');
  }

  async list(words: string): Promise<void> {
    const { overview } = this.#overview;
    const { threads = [] } =
      words === '' ? {} : await this.#client.threads.list({ search: words, limit: 200 });
    const found = words === '' ? undefined : { words, excerpts: new Map(threads.map(({ id }) => [id, ''])) };
    const search = words === '' ? undefined : { field: { before: words, after: '' }, isTyping: false };
    const rows = homeRows(
      { overview, found, now: Date.now() },
      { unfolded: new Set(['Landed', 'At rest', 'Snoozed']), search },
    );
    if (rows.length === 0) this.say(words === '' ? 'There is no work.' : 'No work matches these words.');
    for (const row of rows) {
      if (row.kind === 'group') this.say(`${row.group}: ${row.count}`);
      else {
        const { word } = chipOf(row, noColours);
        const now = Date.now();
        const waits = age(waitingSince(row), now);
        this.say(
          `${this.#numberOf(row.thread)}. ${word}, ${waits}: ${plainLine(row.thread.title, { maxLength: 200 })}. ${threadSentence(row.thread, row.prompt, now)}`,
        );
      }
    }
  }

  async answer(rest: string): Promise<void> {
    const wanted = rest === '' ? undefined : this.#thread(rest).id;
    using place = new AnswerPlace(this.#client, { isPlain: true });
    const open = (await this.#client.prompts.open()).filter(
      ({ threadId }) => wanted === undefined || threadId === wanted,
    );
    if (open.length === 0) return this.say('No agent is waiting for you.');
    for (const prompt of open) {
      const now = await this.#client.prompts.get(prompt.id);
      if (isOpenPrompt(now) && (await place.ask(now)) === 'left') return;
    }
  }

  async open(rest: string): Promise<void> {
    const thread = await this.#client.threads.get(this.#thread(rest).id);
    const transcript = new Transcript({ asker: thread, colours: noColours, now: Date.now });
    const after = Math.max(0, thread.lastSeq - lastEvents);
    for await (const event of this.#client.threads.storedEvents(thread.id, { after })) {
      const fact = factOf(event);
      for (const { text } of fact ? transcript.add(fact) : []) process.stdout.write(`${text.trimEnd()}\n`);
    }
  }

  async diff(rest: string): Promise<void> {
    for await (const page of this.#client.threads.allChanges(this.#thread(rest).id, { hunks: true }))
      for (const file of page.files)
        for (const line of fileLines(file, noColours)) process.stdout.write(`${line}\n`);
  }

  async write(rest: string): Promise<void> {
    const [, number = '', text = ''] = /^(\S+)\s+(.+)$/s.exec(rest) ?? [];
    const { id } = this.#thread(number);
    await this.#client.threads.post(id, { content: [{ type: 'text', text }], metadata: { queue: true } });
    this.say('Sent.');
  }

  async interrupt(rest: string): Promise<void> {
    await this.#client.threads.interrupt(this.#thread(rest).id);
    this.say('Interrupted.');
  }

  async snooze(rest: string): Promise<void> {
    const [, number = '', time = ''] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
    const now = Date.now();
    const until =
      time === ''
        ? nextMorning(now)
        : time === 'no'
          ? null
          : (snoozedFor(time, now) ?? snoozedUntil(time, now));
    if (until === undefined)
      throw new Failure('usage', 'Say until when: 4h, 17:30, tomorrow, monday, or no to take it back.');
    await this.#client.threads.snooze(this.#thread(number).id, { until });
    this.say(until === null ? 'Awake again.' : `Snoozed until ${new Date(until).toLocaleString()}.`);
  }

  async attach(rest: string): Promise<void> {
    await attachThread(this.#client, this.#thread(rest).id);
  }

  async giveWork(text: string): Promise<void> {
    if (text === '') throw new Failure('usage', 'Describe the work: new TEXT');
    const { settings, flags } = workSettings({});
    await this.#client.dispatches.submit(await workRequest(text, {}, { settings, flags }));
    this.say('Queued.');
  }

  #thread(text: string): Thread {
    const [id] = [...this.#told].find(([, { number }]) => String(number) === text) ?? [];
    const thread = id === undefined ? undefined : this.#overview.overview.threads.get(id);
    if (thread) return thread;
    throw new Failure(
      'usage',
      `There is no work with the number ${text === '' ? 'that is missing' : text}. Type list.`,
    );
  }
}
