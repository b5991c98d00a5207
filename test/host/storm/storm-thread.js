import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { People } from './people.js';
import { newWork } from './scene-text.js';
import { killIn } from './victims.js';

const lookAgainMs = 40;
const keptEvents = 80;

/**
 * @typedef {import('../../../dist/protocol/index.js').Prompt} Prompt
 * @typedef {import('../../../dist/protocol/index.js').Dispatch} Dispatch
 * @typedef {import('./people.js').Try} Try
 * @typedef {'worker' | 'runner' | 'agent' | 'worker and runner' | 'worker, runner and agent'} Blow
 * @typedef {{ id: Prompt['id'], shape: string, tries: Try[], found: string, blows: { blow: Blow, moment: Moment }[] }} Attended  one prompt, and all that was done to it
 * @typedef {'asked' | 'answering' | 'answered'} Moment
 * @typedef {{ word: string, reply: import('./worker-keeper.js').Reply, during: Attended }} Message
 */

/** @type {readonly [Blow, ...Blow[]]} */
const blows = ['worker', 'runner', 'agent', 'worker and runner', 'worker, runner and agent'];
/** @type {readonly [Moment, ...Moment[]]} */
const moments = ['asked', 'answering', 'answered'];

/** One thread in the storm: it gets work that asks until it has asked often enough, and everything it asks is attended to. */
export class StormThread {
  /** @type {Attended[]} */
  attended = [];
  /** @type {Message[]} */
  messages = [];
  /** @type {Dispatch['threadId'] | undefined} */
  id;
  #keeper;
  #dice;
  #people;
  #mark;
  #works = 0;
  #isAtWork = false;
  #movedAt = performance.now();

  /** @param {{ number: number, workspace: string, keeper: import('./worker-keeper.js').WorkerKeeper, dice: import('../chaos/dice.js').Dice, mark: string }} options */
  constructor({ number, workspace, keeper, dice, mark }) {
    this.number = number;
    this.workspace = workspace;
    this.#keeper = keeper;
    this.#dice = dice;
    this.#mark = mark;
    this.#people = new People({ keeper, dice, thread: number });
  }

  /** Plays until so many prompts were attended to. @param {number} count */
  async play(count) {
    this.#isAtWork = true;
    this.#movedAt = performance.now();
    do {
      this.#works += 1;
      const name = `work-${this.number}-${this.#works}`;
      const { workspace } = this;
      const { shape, text } = newWork({ name, workspace, dice: this.#dice });
      const place = this.id ? { thread: this.id } : { workspace: { path: workspace } };
      const { id, threadId } = await this.#keeper.ask((client) =>
        client.dispatches.submit({ text, ...place }, { idempotencyKey: name }),
      );
      this.id = threadId;
      await this.#attendUntil(shape, async () => await this.#hasEnded(id));
    } while (this.#isAtWork && this.attended.length < count);
    await this.#attendUntil('a message', async () => (await this.dispatches()).every(isOver));
    this.#isAtWork = false;
    await this.#keeper.ask((client) => client.threads.stop(this.#known()));
  }

  /** @returns {Promise<Dispatch[]>} */
  async dispatches() {
    return await this.#keeper.ask(
      async (client) => await all(client.dispatches.all({ thread: this.#known() })),
    );
  }

  /** @returns {Promise<Prompt[]>} */
  async prompts() {
    return await this.#keeper.ask(async (client) => await all(client.prompts.all({ thread: this.#known() })));
  }

  /** Every event, in order. */
  async events() {
    /** @type {Awaited<ReturnType<import('../../../dist/client/index.js').Client['threads']['events']>>} */
    const events = [];
    for (;;) {
      const after = events.at(-1)?.seq ?? 0;
      const part = await this.#keeper.ask((client) => client.threads.events(this.#known(), { after }));
      if (part.length === 0) return events;
      events.push(...part);
    }
  }

  /** For how long nothing has happened here. */
  get silentMs() {
    return this.#isAtWork ? performance.now() - this.#movedAt : 0;
  }

  /** Leaves the thread as it is; says how it stands. */
  async giveUp() {
    this.#isAtWork = false;
    return await this.standing();
  }

  /** How the thread stands, for whoever looks into a hang. */
  async standing() {
    const id = this.#known();
    const { status } = await this.#keeper.ask((client) => client.threads.get(id));
    const works = (await this.dispatches()).filter((dispatch) => !isOver(dispatch));
    const open = (await this.prompts()).filter(({ state }) => state === 'pending');
    const last = (await this.events()).slice(-keptEvents);
    return JSON.stringify({ thread: this.number, status, works, open, last, tried: this.attended.at(-1) });
  }

  /** How often the approved command was carried out. */
  done() {
    try {
      return readFileSync(join(this.workspace, 'log.txt'), 'utf8').trim().split('\n').length;
    } catch {
      return 0;
    }
  }

  /** @param {string} shape @param {() => Promise<boolean>} isOver */
  async #attendUntil(shape, isOver) {
    this.#movedAt = performance.now();
    while (this.#isAtWork && !(await isOver())) {
      const open = await this.#keeper.ask((client) => client.prompts.open({ thread: this.#known() }));
      const prompt = this.#dice.between(0, 1) === 0 ? open[0] : open.at(-1);
      if (prompt) await this.#attend(prompt, shape);
      else await sleep(lookAgainMs);
    }
  }

  /** @param {Prompt} prompt @param {string} shape */
  async #attend(prompt, shape) {
    /** @type {Attended} */
    const attended = { id: prompt.id, shape, tries: [], found: 'held', blows: [] };
    this.attended.push(attended);
    this.#movedAt = performance.now();
    const blow = this.#dice.between(1, 4) === 1 ? this.#dice.pick(blows) : null;
    const moment = this.#dice.pick(moments);
    const strike = () => {
      if (blow && this.#strike(blow)) attended.blows.push({ blow, moment });
    };
    if (moment === 'asked') strike();
    const patience = this.#dice.pick(['none', 'none', 'none', 'none', 'some', 'some', 'parked']);
    if (patience === 'some') await sleep(this.#dice.between(10, 400));
    // An agent that left its question in a file is idle; nothing of it is parked.
    if (patience === 'parked' && prompt.kind !== 'text') await this.#untilFreed(prompt);
    if (this.#dice.between(1, 8) === 1) await this.#say(attended);
    if (this.#dice.between(1, 5) === 1) attended.tries.push(await this.#people.garble(prompt));
    attended.found = await this.#found();
    for (let isFirst = true; this.#isAtWork && (await this.#isOpen(prompt)); isFirst = false) {
      const tried = this.#answer(prompt);
      if (moment === 'answering' && isFirst) strike();
      attended.tries.push(...(await tried));
    }
    if (moment === 'answered') strike();
    if (this.#dice.between(1, 5) === 1)
      attended.tries.push(...(await this.#people.repeat(prompt, attended.tries)));
  }

  /** @param {Prompt} prompt */
  async #answer(prompt) {
    if (this.#dice.between(1, 25) === 1) return [await this.#people.cancel(prompt)];
    return await this.#people.answer(prompt, this.#dice.pick([1, 1, 2, 4]));
  }

  /** Says something that is no answer. @param {Attended} during */
  async #say(during) {
    const word = this.#people.newWord('msg');
    const item = { content: [{ type: 'text', text: `By the way: ${word}` }], metadata: { queue: true } };
    const id = this.#known();
    const reply = await this.#keeper.once((client) =>
      client.threads.post(id, /** @type {Parameters<typeof client.threads.post>[1]} */ (item)),
    );
    this.messages.push({ word, reply, during });
  }

  /** @param {Blow} blow */
  #strike(blow) {
    const where = { workspace: this.workspace, mark: this.#mark };
    let isHit = false;
    if (blow.startsWith('worker')) isHit = this.#keeper.kill();
    if (blow.includes('agent')) isHit = killIn('agent', where) || isHit;
    if (blow.includes('runner')) isHit = killIn('runner', where) || isHit;
    return isHit;
  }

  /** Waits until the process of the agent was let go, or the question is none any more. @param {Prompt} prompt */
  async #untilFreed(prompt) {
    while (this.#isAtWork && (await this.#found()) === 'held' && (await this.#isOpen(prompt)))
      await sleep(lookAgainMs);
  }

  /** In what state the asking agent is. */
  async #found() {
    const id = this.#known();
    const { status } = await this.#keeper.ask((client) => client.threads.get(id));
    if (status.state !== 'question') return status.state;
    if (status.held) return 'held';
    return status.why.includes('parked') ? 'parked' : 'dead';
  }

  /** @param {Prompt} prompt */
  async #isOpen({ id }) {
    const { state, acceptedAt } = await this.#keeper.ask((client) => client.prompts.get(id));
    return state === 'pending' && acceptedAt === undefined;
  }

  /** @param {Dispatch['id']} id */
  async #hasEnded(id) {
    return isOver(await this.#keeper.ask((client) => client.dispatches.get(id)));
  }

  #known() {
    if (!this.id) throw new Error('the thread has no work yet');
    return this.id;
  }
}

/** @param {Dispatch} dispatch */
function isOver({ state }) {
  return state === 'ended';
}

/** @template Each @param {AsyncIterable<Each>} source */
async function all(source) {
  const found = [];
  for await (const each of source) found.push(each);
  return found;
}
