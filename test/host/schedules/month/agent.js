// An agent of the scripted month. Each turn uses the same number of tokens; the first ones of a thread may fail; while the account is
// limited a turn ends at once and says until when. What it has really done stands in a ledger that nobody else writes.
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveIn, readWorld } from './world.js';

const worldFile = process.env['MONTH_WORLD'] ?? '';
const ledger = process.env['MONTH_LEDGER'] ?? '';
liveIn(worldFile);

/** @type {import('../../../../dist/runtimes/index.js').OutsideAdapter} */
export const runtime = { open: (launch, host) => new Session(launch, host) };

/** One thread's conversation. */
class Session {
  #launch;
  #host;
  /** @type {Promise<void>} */
  #turn = Promise.resolve();
  #isInterrupted = false;
  /** @type {(exit: import('../../../../dist/runtimes/index.js').RuntimeExit) => void} */
  #leave = () => {};
  /** @type {Promise<import('../../../../dist/runtimes/index.js').RuntimeExit>} */
  exited = new Promise((resolve) => {
    this.#leave = resolve;
  });

  /**
   * @param {import('../../../../dist/runtimes/index.js').Launch} launch
   * @param {import('../../../../dist/runtimes/index.js').RuntimeHost} host
   */
  constructor(launch, host) {
    this.#launch = launch;
    this.#host = host;
  }

  /** @param {import('../../../../dist/runtimes/index.js').TurnInput} turn */
  begin(turn) {
    this.#isInterrupted = false;
    this.#turn = this.#run(turn);
  }

  async interrupt() {
    this.#isInterrupted = true;
    await this.#turn;
  }

  async control() {
    return null;
  }

  end() {
    void this.#turn.then(() => this.#leave({ exitCode: 0, signal: null, oom: false }));
  }

  async [Symbol.asyncDispose]() {
    await this.interrupt();
    this.#leave({ exitCode: 0, signal: null, oom: false });
  }

  /** @param {import('../../../../dist/runtimes/index.js').TurnInput} turn */
  async #run({ uuid, content }) {
    const { emit } = this.#host;
    const thread = this.#launch.conversationId;
    emit({ type: 'turn_started', origin: 'message' });
    // Long enough for a kill to come in the middle.
    await sleep(20);
    const { now, limitedUntil } = readWorld(worldFile);
    const { failing = 0, tokens = 0 } = JSON.parse(content.match(/\{.*?\}/)?.[0] ?? '{}');
    const did = this.#isInterrupted
      ? 'interrupted'
      : now < limitedUntil
        ? 'limited'
        : earlierTurns(thread) < chosen(thread, failing)
          ? 'failed'
          : 'worked';
    const spends = did === 'worked' || did === 'failed';
    appendFileSync(ledger, `${JSON.stringify({ thread, did, tokens: spends ? tokens : 0, now })}\n`);
    const usage = {
      inputTokens: tokens,
      outputTokens: 0,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
    };
    emit({
      type: 'turn_ended',
      sessionId: thread,
      interrupted: did === 'interrupted',
      result: {
        success: did === 'worked',
        subtype: did === 'worked' ? 'success' : 'error_during_execution',
        ...(did === 'worked' ? { text: 'Done.' } : { errors: [did], errorKind: kinds[did] }),
        ...(did === 'limited' ? { retryAt: new Date(limitedUntil).toISOString() } : {}),
        cost: null,
        turns: 1,
        usage: spends ? usage : null,
        origin: 'message',
        messageUuid: uuid,
      },
    });
  }
}

const kinds = /** @type {const} */ ({
  limited: 'rate_limit',
  failed: 'overloaded',
  interrupted: 'interrupted',
});

/** How many turns of the thread have used something. @param {string} thread */
function earlierTurns(thread) {
  try {
    const lines = readFileSync(ledger, 'utf8').split('\n');
    return lines.filter((line) => line.includes(`"${thread}"`) && !line.includes('"tokens":0')).length;
  } catch {
    return 0;
  }
}

/** From 0 to most, the same for a thread each time. @param {string} thread @param {number} most */
function chosen(thread, most) {
  return thread.split('').reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % (most + 1);
}
