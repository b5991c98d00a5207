import { applyEvidence, noSigns } from '../../dist/domain/status/agent-signs.js';
import { arbitrate } from '../../dist/domain/status/status-arbiter.js';
import { forwardClock } from '../../dist/runner/forward-clock.js';
import { Dice } from '../storm/dice.js';
import { dialects } from './dialects.js';

/**
 * @typedef {import('./dialects.js').Evidence} Evidence
 * @typedef {import('./dialects.js').Step} Step
 * @typedef {import('../../dist/domain/status/status-arbiter.js').Situation} Situation
 * @typedef {{ runtime: string, seed: number, transitions: number, events: number, late: number, again: number, kills: number, jumps: number, longest: number, wrong: string[] }} Verdict
 */

const hourMs = 3_600_000;
const promptId = /** @type {any} */ (`prm_${'0'.repeat(26)}`);

/** An hour of one agent's life as a script has it, and what is published meanwhile. The truth is the script's own, never an event. */
export class ScriptedHour {
  #dice;
  #dialect;
  #newDialect;
  #wall = Date.UTC(2026, 0, 1);
  #spent = 0;
  #now;
  /** What is true. */
  #true = {
    isThere: false,
    isAlive: false,
    /** A process per turn: one was there before. */
    hadTurn: false,
    inTurn: false,
    /** A message was accepted, and its turn is not over. */
    pending: false,
    tools: 0,
    background: false,
    asks: false,
    retries: false,
    end: /** @type {'stopped' | 'crashed' | 'oomKilled'} */ ('stopped'),
  };
  /** What the worker knows. */
  #signs = noSigns;
  /** @type {Situation['end']} */
  #end = null;
  #isRunning = false;
  #prompt = false;
  /** On its way for the first time, and overtaken. @type {Evidence[]} */
  #late = [];
  /** To come once more. @type {{ evidence: Evidence, after: number }[]} */
  #again = [];
  #wasRight = true;
  #newest = 0;
  #since = 0;
  /** @type {Verdict} */
  #verdict;

  #forward;

  /**
   * @param {string} runtime
   * @param {number} seed
   * @param {{ forward?: typeof forwardClock }} [means]  the runner's clock
   */
  constructor(runtime, seed, { forward = forwardClock } = {}) {
    this.#forward = forward;
    this.#dice = new Dice(seed);
    const made = dialects[runtime];
    if (!made) throw new Error(`There is no runtime ${runtime}.`);
    this.#newDialect = made;
    this.#now = this.#forward(() => this.#tick());
    this.#dialect = made(this.#now);
    const nothing = { transitions: 0, events: 0, late: 0, again: 0, kills: 0, jumps: 0, longest: 0 };
    this.#verdict = { runtime, seed, ...nothing, wrong: [] };
  }

  /** @returns {Verdict} */
  run() {
    while (this.#spent < hourMs) this.#step();
    return this.#verdict;
  }

  #step() {
    this.#comeLate();
    this.#pass(this.#dice.between(1, 700));
    // Somebody sets the clock, or it is set by the network.
    if (this.#dice.between(1, 40) === 1) {
      this.#wall += this.#dice.pick([-hourMs, -1000, -1, 60_000, hourMs]);
      this.#verdict.jumps += 1;
    }
    const { isThere, isAlive, inTurn, asks } = this.#true;
    if (!isThere) return this.#launch();
    if (!isAlive) return this.#dice.between(1, 10) === 1 ? this.#die() : this.#live();
    if (this.#dice.between(1, 60) === 1) return this.#die();
    if (asks) return this.#answer();
    if (inTurn) return this.#work();
    return this.#rest();
  }

  #launch() {
    this.#now = this.#forward(() => this.#tick());
    this.#dialect = this.#newDialect(this.#now);
    this.#signs = noSigns;
    this.#late = [];
    this.#again = [];
    this.#newest = 0;
    this.#end = null;
    this.#isRunning = true;
    // Where it died asking, the answer starts it again, with a message.
    const pending = this.#prompt || this.#dice.between(0, 1) === 1;
    this.#prompt = false;
    this.#become({
      isThere: true,
      pending,
      isAlive: false,
      hadTurn: false,
      inTurn: false,
      tools: 0,
      background: false,
      asks: false,
      retries: false,
    });
    this.#look();
  }

  #live() {
    if (!this.#dialect.tells) return this.#begin();
    this.#become({ isAlive: true });
    this.#say('live');
    if (this.#true.pending) this.#begin();
  }

  #begin() {
    this.#become({ isAlive: true, inTurn: true, pending: true });
    this.#say('begin');
  }

  #rest() {
    const { background } = this.#true;
    const chance = this.#dice.between(1, 10);
    if (chance <= 6) return this.#begin();
    if (background) return this.#do('backgroundEnd', { background: false });
    if (chance === 7) return this.#do('background', { background: true });
    if (chance === 8) return this.#stop();
  }

  #work() {
    const { tools, retries } = this.#true;
    const chance = this.#dice.between(1, 10);
    if (retries) return this.#do('retryEnd', { retries: false });
    if (!this.#dialect.tells) return this.#endTurn();
    if (tools > 0 && chance <= 6) return this.#do('toolEnd', { tools: tools - 1 });
    if (chance <= 4) return this.#do('tool', { tools: tools + 1 });
    if (tools > 0) return;
    if (chance <= 6) return this.#ask();
    if (chance === 7) return this.#do('retry', { retries: true });
    return this.#endTurn();
  }

  #ask() {
    this.#become({ asks: true });
    this.#say('ask');
    this.#prompt = true;
    this.#event();
  }

  #answer() {
    this.#become({ asks: false });
    this.#prompt = false;
    this.#event();
    this.#say('answered');
  }

  #endTurn() {
    this.#become({
      inTurn: false,
      pending: false,
      ...(this.#dialect.tells ? {} : { isAlive: false, hadTurn: true }),
    });
    this.#say('end');
  }

  /** We end it: the intent is recorded first. */
  #stop() {
    this.#gone('stopped', { exitCode: 143, signal: null, oom: false }, 'idle for too long');
  }

  #die() {
    this.#verdict.kills += 1;
    const oom = this.#dice.between(1, 5) === 1;
    this.#gone(oom ? 'oomKilled' : 'crashed', { exitCode: null, signal: 'SIGKILL', oom });
  }

  /** @param {'stopped' | 'crashed' | 'oomKilled'} end @param {{ exitCode: number | null, signal: string | null, oom: boolean }} exit @param {string} [intent] */
  #gone(end, exit, intent) {
    this.#become({ isThere: false, isAlive: false, end });
    this.#isRunning = false;
    this.#end = {
      exit,
      at: new Date(this.#wall).toISOString(),
      isRunnerLost: false,
      ...(intent === undefined ? {} : { intent }),
    };
    this.#event();
  }

  /** @param {Step} step @param {Partial<ScriptedHour['truth']>} change */
  #do(step, change) {
    this.#become(change);
    this.#say(step);
  }

  /** @param {Partial<ScriptedHour['truth']>} change */
  #become(change) {
    const before = this.#state();
    this.#true = { ...this.#true, ...change };
    if (this.#state() === before) return;
    this.#verdict.transitions += 1;
    this.#since = 0;
  }

  get truth() {
    return this.#true;
  }

  /** @param {Step} step */
  #say(step) {
    for (const evidence of this.#dialect.says(step)) {
      // Of two at the same instant nobody can say which was first; there the number decides that the runner gives them.
      const isOrdered = Date.parse(evidence.at) > this.#newest;
      if (!isOrdered) {
        this.#comeLate();
        this.#again = this.#again.filter((each) => Date.parse(each.evidence.at) < this.#newest);
      }
      this.#newest = Math.max(this.#newest, Date.parse(evidence.at));
      if (isOrdered && this.#dice.between(1, 25) === 1) {
        this.#late.push(evidence);
        this.#verdict.late += 1;
        continue;
      }
      this.#deliver(evidence);
      this.#comeLate();
      if (isOrdered && this.#dice.between(1, 15) === 1)
        this.#again.push({ evidence, after: this.#dice.between(1, 8) });
    }
  }

  /** @param {Evidence} evidence */
  #deliver(evidence) {
    this.#signs = applyEvidence(this.#signs, evidence);
    this.#event();
    const due = this.#again.filter((each) => --each.after <= 0);
    this.#again = this.#again.filter((each) => each.after > 0);
    for (const { evidence: same } of due) this.#comeAgain(same);
  }

  #comeLate() {
    for (const evidence of this.#late.splice(0)) this.#deliver(evidence);
  }

  /** What was said before makes nothing wrong that was right. @param {Evidence} evidence */
  #comeAgain(evidence) {
    if (Date.parse(evidence.at) >= this.#newest) return;
    const wasRight = this.#wasRight;
    this.#signs = applyEvidence(this.#signs, evidence);
    this.#verdict.events += 1;
    this.#verdict.again += 1;
    this.#look();
    if (wasRight && !this.#wasRight) this.#accuse();
  }

  #event() {
    this.#verdict.events += 1;
    this.#since += 1;
    this.#look();
    if (this.#wasRight) return;
    this.#verdict.longest = Math.max(this.#verdict.longest, this.#since);
    if (this.#since > 1) this.#accuse();
  }

  #look() {
    this.#wasRight = arbitrate(this.#situation()).state === this.#state();
  }

  #accuse() {
    const { state, why } = arbitrate(this.#situation());
    this.#verdict.wrong.push(
      `event ${this.#verdict.events}: ${state} (${why}), and in truth ${this.#state()}`,
    );
  }

  /** @returns {Situation} */
  #situation() {
    const startedAt = new Date(this.#wall).toISOString();
    return {
      run: this.#isRunning ? { signs: this.#signs, messagesPending: this.#true.pending, startedAt } : null,
      end: this.#end,
      prompt: this.#prompt ? { id: promptId, text: 'Which?', since: startedAt } : null,
    };
  }

  /** What is true, in the words of a status; of a process that tells nothing only whether it is there. */
  #state() {
    const { isThere, isAlive, hadTurn, inTurn, pending, tools, background, asks, end } = this.#true;
    if (asks) return 'question';
    if (!isThere) return end;
    if (!isAlive) return hadTurn ? 'stopped' : 'initializing';
    if (!this.#dialect.tells) return 'unknown';
    return inTurn || tools > 0 || background || pending ? 'busy' : 'idle';
  }

  /** No two readings are of the same millisecond, unless the clock was set back and stands still. */
  #tick() {
    this.#wall += 1;
    return this.#wall;
  }

  /** @param {number} milliseconds */
  #pass(milliseconds) {
    this.#wall += milliseconds;
    this.#spent += milliseconds;
  }
}
