import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunFolders } from '../../../dist/host/run-folder.js';
import { RunnerLink } from '../../../dist/host/runner-link.js';
import { RunId } from '../../../dist/protocol/index.js';
import { newTurn } from './turn.js';

const lookAgainMs = 30;
const page = 500;

/**
 * @typedef {import('./worker-lives.js').WorkerLives} WorkerLives
 * @typedef {{ seq: number, runSeq: number, type: string, [field: string]: unknown }} Event
 * @typedef {{ id: string, endedAt?: string, lastRunSeq: number, process?: { pid: number, startTime: string }, killIntent?: { reason: string }, exit?: object }} Run
 */

/** The parent of one agent: it knows only what the store holds, and sends again what has no receipt there. */
export class Agent {
  /** @type {import('./turn.js').Turn[]} */
  turns = [];
  /** @type {Event[]} */
  events = [];
  /** The run that does the work. @type {string} */
  runId = '';
  /** Which process the runner was at first and at last. @type {string[]} */
  identities = [];
  /** What the store says in the end. @type {Run[]} */
  runs = [];
  #lives;
  #dice;
  #home;

  /** @param {{ number: number, workspace: string, thread: { id: string }, lives: WorkerLives, dice: import('./dice.js').Dice, home: string }} options */
  constructor({ number, workspace, thread, lives, dice, home }) {
    this.number = number;
    this.workspace = workspace;
    this.thread = thread;
    this.#lives = lives;
    this.#dice = dice;
    this.#home = home;
  }

  /** Has a run, however many workers die over its start. */
  async begin() {
    const request = { threadId: this.thread.id, runtime: 'claude', cwd: this.workspace, posture: {} };
    while (!this.events.some(({ type }) => type === 'ready')) {
      await this.#lives.ask({ do: 'thread', thread: this.thread });
      const runs = await this.#askRuns();
      // A worker that dies between a run's row and its process leaves a run that never was.
      const living = runs?.find(({ endedAt }) => endedAt === undefined);
      if (living) this.runId = living.id;
      else if (runs) await this.#lives.ask({ do: 'start', request });
      await this.#lookAgain();
    }
    this.identities.push(await this.#identity());
  }

  /** Works off turns until told that it is enough. @param {() => boolean} isEnough */
  async work(isEnough) {
    while (!isEnough()) {
      const turn = newTurn(this.number, this.turns.length + 1, this.#dice);
      this.turns.push(turn);
      await this.#deliver({ type: 'message', content: turn.content, commandId: turn.commandId });
      if (turn.question) await this.#answer(turn.commandId, turn.question);
      while (this.count('turn_complete') < turn.number) await this.#lookAgain();
    }
    this.identities.push(await this.#identity());
  }

  /** By a signal or by a command. @returns {'signal' | 'command'} */
  get ending() {
    return this.number % 3 === 0 ? 'command' : 'signal';
  }

  /** Ends the run and waits until it is settled. */
  async end() {
    if (this.ending === 'command')
      await this.#deliver({ type: 'stop', commandId: `agent-${this.number}-stop` });
    while ((await this.#run())?.endedAt === undefined) {
      if (this.ending === 'signal') await this.#lives.ask({ do: 'end', runId: this.runId });
      await sleep(lookAgainMs);
    }
    await this.#catchUp();
    while (this.runs.length === 0) this.runs = (await this.#askRuns()) ?? [];
  }

  /** @param {string} type */
  count(type) {
    return this.events.filter((event) => event.type === type).length;
  }

  /** The numbers that the agent's tools wrote down. */
  written() {
    return readFileSync(join(this.workspace, 'log.txt'), 'utf8').trim().split('\n').map(Number);
  }

  /** @returns {Promise<Run[] | undefined>} */
  async #askRuns() {
    const word = await this.#lives.ask({ do: 'runs', threadId: this.thread.id });
    return /** @type {Run[] | undefined} */ (word?.['runs']);
  }

  /** @returns {Promise<Run | undefined>} */
  async #run() {
    const word = await this.#lives.ask({ do: 'run', runId: this.runId });
    return /** @type {Run | undefined} */ (word?.['run']);
  }

  /** @param {string} commandId @param {{ text: string, answer: string }} question */
  async #answer(commandId, { text, answer }) {
    const asked = () =>
      this.events.find(
        (event) => event.type === 'user_question_request' && JSON.stringify(event).includes(text),
      );
    while (!asked()) await this.#lookAgain();
    await this.#deliver({
      type: 'user_question_response',
      questionRequestId: asked()?.['requestId'],
      answers: { [text]: answer },
      commandId: `${commandId}-answer`,
    });
  }

  /** @param {{ commandId: string, [field: string]: unknown }} command */
  async #deliver(command) {
    const hasReceipt = () => this.events.some((event) => event['commandId'] === command.commandId);
    while (!hasReceipt()) {
      await this.#lives.ask({ do: 'send', runId: this.runId, command });
      await this.#lookAgain();
    }
  }

  async #lookAgain() {
    await sleep(lookAgainMs);
    await this.#catchUp();
  }

  async #catchUp() {
    for (let isMore = true; isMore; ) {
      const after = this.events.at(-1)?.seq ?? 0;
      const word = await this.#lives.ask({ do: 'events', threadId: this.thread.id, after, limit: page });
      const events = /** @type {Event[]} */ (word?.['events'] ?? []);
      this.events.push(...events);
      isMore = events.length === page;
    }
  }

  /** Asked of the runner itself, because the store is what is being tested. */
  async #identity() {
    const link = await RunnerLink.open(new RunFolders(this.#home).socket(RunId.parse(this.runId)));
    if (!link) return 'nobody';
    await link[Symbol.asyncDispose]();
    return `${link.hello.pid} since ${link.hello.startTime}`;
  }
}
