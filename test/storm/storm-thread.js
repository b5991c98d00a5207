import { setTimeout as sleep } from 'node:timers/promises';
import { blowsThat, strike } from './blows.js';
import { People } from './people.js';
import { runnerIn } from './victims.js';
import { newPatience, newWork } from './work.js';

const lookAgainMs = 40;
const keptEvents = 80;
// An agent that acts on one consent while another call of the same turn asks is not let go.
const freedWithinMs = 30_000;

/**
 * @typedef {import('../../dist/protocol/index.js').Prompt} Prompt
 * @typedef {import('../../dist/protocol/index.js').Dispatch} Dispatch
 * @typedef {import('./people.js').Try} Try
 * @typedef {import('./blows.js').Blow} Blow
 * @typedef {{ id: Prompt['id'], shape: string, tries: Try[], found: string, blows: { blow: Blow, moment: Moment }[], isLeft?: boolean }} Attended  one prompt, and all that was done to it; isLeft: nobody meant to answer it
 * @typedef {'asked' | 'answering' | 'answered'} Moment
 * @typedef {{ word: string, reply: import('./worker-keeper.js').Reply, during: Attended }} Message
 * @typedef {{ word: string, number: number, id: Dispatch['id'], prompts: Prompt['id'][], cancellations: import('./worker-keeper.js').Reply[] }} Work
 * @typedef {'all' | 'killed' | 'worker'} Victims  what is struck beside what was planned: everything, agents are parked and work is cancelled too; everything, by SIGKILL alone and with nothing called off; or only what every agent lives through
 */

/** @type {readonly [Moment, ...Moment[]]} */
const moments = ['asked', 'answering', 'answered'];

/** One thread in the storm: it gets work that asks until it has asked often enough, and everything it asks is attended to. */
export class StormThread {
  /** @type {Attended[]} */
  attended = [];
  /** @type {Message[]} */
  messages = [];
  /** @type {Work[]} */
  works = [];
  /** Which process its runner was after the first work, and in the end. @type {string[]} */
  runners = [];
  /** @type {Dispatch['threadId'] | undefined} */
  id;
  #keeper;
  #dice;
  #people;
  #mark;
  #runtime;
  #victims;
  #schedule;
  #blows;
  #isAtWork = false;
  #movedAt = 0;
  #lookedAt = 0;
  #isLookedAt = false;
  #seenSeq = -1;

  /** @param {{ number: number, workspace: string, keeper: import('./worker-keeper.js').WorkerKeeper, schedule: import('./kill-schedule.js').KillSchedule, dice: import('./dice.js').Dice, mark: string, runtime: import('./storm-runtimes.js').StormRuntime, victims: Victims }} options */
  constructor({ number, workspace, keeper, schedule, dice, mark, runtime, victims }) {
    this.number = number;
    this.workspace = workspace;
    this.#keeper = keeper;
    this.#dice = dice;
    this.#mark = mark;
    this.#runtime = runtime;
    this.#victims = victims;
    this.#blows = blowsThat({ mayBreak: victims !== 'worker', isDeadly: victims === 'killed' });
    this.#schedule = schedule;
    this.#people = new People({ keeper, dice, thread: number });
  }

  /** Every second thread acts without asking, and writes down what it did. */
  get acts() {
    return this.number % 2 === 0;
  }

  /** Plays until so many prompts were attended to, and until it was enough for whoever counts. @param {number} count @param {() => boolean} isEnough */
  async play(count, isEnough) {
    this.#isAtWork = true;
    this.#movedAt = performance.now();
    do {
      await this.#work();
    } while (this.#isAtWork && (this.attended.length < count || !isEnough()));
    await this.#attendUntil('a message', async () => (await this.dispatches()).every(isOver));
    this.#isAtWork = false;
    this.runners.push(runnerIn(this.#place));
    await this.#stop();
  }

  async #work() {
    const { workspace, acts } = this;
    const number = this.works.length + 1;
    const word = this.#people.newWord('wrk');
    const thread = this.number;
    const runtime = this.#runtime;
    const { shape, text } = newWork({ word, thread, number, workspace, acts, runtime, dice: this.#dice });
    const patience = this.#mayCallOff ? newPatience({ mayFail: this.#mayBreak, dice: this.#dice }) : {};
    const place = this.id
      ? { thread: this.id }
      : {
          workspace: { path: workspace },
          runtime: runtime.name,
          ...(acts ? { permissions: /** @type {const} */ ('autonomous') } : {}),
        };
    const { id, threadId } = await this.#keeper.ask((client) =>
      client.dispatches.submit({ text, ...patience, ...place }, { idempotencyKey: word }),
    );
    this.id = threadId;
    this.works.push({ word, number, id, prompts: [], cancellations: [] });
    if (this.#mayCallOff && this.#mayBreak && this.#dice.between(1, 20) === 1)
      await this.#cancelWork(this.#dice.between(0, 2000));
    await this.#attendUntil(shape, async () => await this.#hasEnded(id));
    if (number === 1) this.runners.push(runnerIn(this.#place));
  }

  /** Ends its agent, and the worker over it where that was planned. */
  async #stop() {
    const plan = this.#schedule.atAnEnd();
    if (plan) await this.#keeper.arm(plan);
    await this.#keeper.ask((client) => client.threads.stop(this.#known()));
  }

  /** Whether an agent of this thread may be ended. */
  get #mayBreak() {
    return this.#victims !== 'worker';
  }

  /** Whether people call off prompts and work, or let their time run out. */
  get #mayCallOff() {
    return this.#victims !== 'killed';
  }

  /** Calls off the newest work, once or twice. @param {number} [afterMs] */
  async #cancelWork(afterMs = 0) {
    const work = this.works.at(-1);
    if (!work) return;
    await sleep(afterMs);
    const times = this.#dice.pick([1, 1, 2]);
    const cancel = () => this.#keeper.once((client) => client.dispatches.cancel(work.id));
    work.cancellations.push(...(await Promise.all(Array.from({ length: times }, cancel))));
  }

  get #place() {
    return { workspace: this.workspace, mark: this.#mark, process: this.#runtime.process };
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
    /** @type {Awaited<ReturnType<import('../../dist/client/index.js').Client['threads']['events']>>['events']} */
    const events = [];
    for (;;) {
      const after = events.at(-1)?.seq ?? 0;
      const part = await this.#keeper.ask((client) => client.threads.events(this.#known(), { after }));
      if (part.events.length === 0) return events;
      events.push(...part.events);
    }
  }

  /**
   * Whether nothing happens here any more: no event came between two looks that lie so far apart, or events came for much longer
   * and nobody was asked. How long one step takes says nothing: on a busy machine an agent alone may take a minute to start.
   * @param {{ silentMs: number, aimlessMs: number }} limits
   */
  async isStalled({ silentMs, aimlessMs }) {
    const { id } = this;
    if (!this.#isAtWork || this.#isLookedAt) return false;
    const now = performance.now();
    if (now - this.#movedAt >= aimlessMs) return true;
    if (!id || now - Math.max(this.#movedAt, this.#lookedAt) < silentMs) return false;
    this.#isLookedAt = true;
    const { lastSeq } = await this.#keeper.ask((client) => client.threads.get(id));
    this.#isLookedAt = false;
    this.#lookedAt = performance.now();
    const isSilent = lastSeq === this.#seenSeq;
    this.#seenSeq = lastSeq;
    return isSilent && this.#isAtWork;
  }

  /** Leaves the thread as it is; reports its condition. */
  async giveUp() {
    this.#isAtWork = false;
    return await this.condition();
  }

  /** The condition of the thread, for whoever looks into a hang. */
  async condition() {
    const { id } = this;
    if (!id) return `thread ${this.number} has not begun`;
    const { status } = await this.#keeper.ask((client) => client.threads.get(id));
    const works = (await this.dispatches()).filter((dispatch) => !isOver(dispatch));
    const open = (await this.prompts()).filter(({ state }) => state === 'pending');
    const last = (await this.events()).slice(-keptEvents);
    return JSON.stringify({ thread: this.number, status, works, open, last, tried: this.attended.at(-1) });
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
    this.works.at(-1)?.prompts.push(prompt.id);
    this.#movedAt = performance.now();
    const blow = this.#dice.between(1, 3) === 1 ? this.#dice.pick(this.#blows) : null;
    const isCancelled = this.#mayCallOff && this.#mayBreak && this.#dice.between(1, 25) === 1;
    const moment = this.#dice.pick(moments);
    const act = async () => {
      const pauseMs = this.#dice.between(50, 2500);
      if (blow && strike(blow, { keeper: this.#keeper, place: this.#place, pauseMs }))
        attended.blows.push({ blow, moment });
      if (isCancelled) await this.#cancelWork();
    };
    if (moment === 'asked') await act();
    const patience = this.#dice.pick(['none', 'none', 'none', 'none', 'some', 'some', 'parked']);
    const isParked = patience === 'parked' && this.#mayBreak && prompt.kind !== 'text';
    if (patience === 'some') await sleep(this.#dice.between(10, 400));
    // An agent that left its question in a file is idle; nothing of it is parked.
    if (isParked) await this.#untilFreed(prompt);
    if (this.#dice.between(1, 8) === 1) await this.#say(attended);
    if (this.#dice.between(1, 5) === 1) attended.tries.push(await this.#people.garble(prompt));
    attended.found = await this.#found();
    attended.isLeft = prompt.deadline !== undefined && this.#dice.between(1, 3) > 1;
    for (let isFirst = true; this.#isAtWork && (await this.#isOpen(prompt)); isFirst = false) {
      const tried = attended.isLeft ? sleep(lookAgainMs, []) : this.#answer(prompt);
      const acted = moment === 'answering' && isFirst ? act() : undefined;
      attended.tries.push(...(await tried));
      await acted;
    }
    if (moment === 'answered') await act();
    if (this.#dice.between(1, 5) === 1)
      attended.tries.push(...(await this.#people.repeat(prompt, attended.tries)));
  }

  /** @param {Prompt} prompt */
  async #answer(prompt) {
    const what = this.#mayCallOff ? this.#dice.between(1, 10) : 10;
    if (what === 1) return [await this.#people.cancel(prompt)];
    const answered = this.#people.answer(prompt, this.#dice.pick([1, 1, 2, 4]));
    if (what > 2) return await answered;
    const [cancelled, ...tried] = await Promise.all([this.#people.cancel(prompt), answered]);
    return [cancelled, ...tried.flat()];
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

  /** Waits a while until the process of the agent was let go, or the question is none any more. @param {Prompt} prompt */
  async #untilFreed(prompt) {
    const until = performance.now() + freedWithinMs;
    const isPatient = () => this.#isAtWork && performance.now() < until;
    while (isPatient() && (await this.#found()) === 'held' && (await this.#isOpen(prompt)))
      await sleep(lookAgainMs);
  }

  /** In what state the asking agent is. */
  async #found() {
    const id = this.#known();
    const { status } = await this.#keeper.ask((client) => client.threads.get(id));
    if (status.state !== 'question') return status.state;
    if (status.held) return 'held';
    return status.why.startsWith('sleeping') ? 'parked' : 'dead';
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
