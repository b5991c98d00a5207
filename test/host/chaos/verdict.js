import { lastWords } from './turn.js';

/**
 * @typedef {import('./agent.js').Agent} Agent
 * @typedef {import('./model-witness.js').Sight} Sight
 */

/** Compares what should have happened with what did; the model and the disk are asked before our own store. */
export class Verdict {
  /** @type {string[]} */
  violations = [];
  lost = 0;
  doubled = 0;

  /** @param {Agent} agent @param {Sight} sight */
  judge(agent, sight) {
    const turns = agent.turns.map(({ number }) => number);
    this.#same(agent, 'numbers in its file', turns, agent.written());
    this.#same(agent, 'prompts that were new to the model', turns, sight.fresh);
    this.#same(agent, 'prompts in the last conversation', turns, sight.remembered);
    const results = [...sight.results.values()];
    const questions = agent.turns.flatMap(({ question }) => question ?? []);
    const pairs = questions.map(({ text, answer }) => `"${text}"="${answer}"`);
    this.#same(
      agent,
      'answers that the model was given',
      pairs,
      results.flatMap((text) => pairs.filter((pair) => text.includes(pair))),
    );
    this.#same(
      agent,
      'processes of its runner',
      [agent.identities[0], agent.identities[0]],
      agent.identities,
    );
    this.#judgeStore(agent);
  }

  /** @param {string} violation */
  add(violation) {
    this.violations.push(violation);
  }

  /** @param {Agent} agent */
  #judgeStore(agent) {
    const { events, turns } = agent;
    const numbers = events.map((_, index) => index + 1);
    // The worker itself says something in the thread too, beside the run.
    const ofRun = events.filter(({ runSeq }) => runSeq !== null);
    const of = (/** @type {string} */ type) => events.filter((event) => event.type === type);
    this.#same(
      agent,
      'runSeqs',
      ofRun.map((_, index) => index + 1),
      ofRun.map(({ runSeq }) => runSeq),
    );
    this.#same(
      agent,
      'seqs',
      numbers,
      events.map(({ seq }) => seq),
    );
    this.#same(
      agent,
      'results',
      turns.map(({ number }) => [true, lastWords(number)]),
      of('result').map((result) => [result['success'], result['text']]),
    );
    this.#same(
      agent,
      'accepted messages',
      turns.map(({ commandId }) => commandId),
      of('command_accepted').flatMap(({ commandId, command }) => (command === 'message' ? [commandId] : [])),
    );
    this.#same(
      agent,
      'delivered answers',
      turns.flatMap(({ commandId, question }) => (question ? [`${commandId}-answer`] : [])),
      of('answer_delivered').map(({ commandId }) => commandId),
    );
    this.#same(
      agent,
      'starts',
      ['ready'],
      of('ready').map(({ type }) => type),
    );
    const isOurs = agent.ending === 'signal';
    this.#same(
      agent,
      'last words',
      [isOurs ? 'shutdown' : 'complete'],
      events.flatMap(({ type }) => (type === 'complete' || type === 'shutdown' ? [type] : [])),
    );
    // Runs without an event are those whose worker died between their row and their process.
    this.#same(
      agent,
      'runs',
      [
        {
          id: agent.runId,
          process: agent.identities[0],
          lastRunSeq: ofRun.length,
          hasEnded: true,
          wasEndedByUs: isOurs,
          hasExit: true,
        },
      ],
      agent.runs
        .filter(({ lastRunSeq }) => lastRunSeq > 0)
        .map(({ id, process, lastRunSeq, endedAt, killIntent, exit }) => ({
          id,
          process: `${process?.pid} since ${process?.startTime}`,
          lastRunSeq,
          hasEnded: endedAt !== undefined,
          wasEndedByUs: killIntent !== undefined,
          hasExit: exit !== undefined,
        })),
    );
    for (const type of ['interrupted', 'error', 'command_error', 'json_parse_error', 'unrecognized'])
      for (const event of of(type)) this.add(`agent ${agent.number}: ${JSON.stringify(event)}`);
  }

  /** @param {Agent} agent @param {string} what @param {readonly unknown[]} wanted @param {readonly unknown[]} found */
  #same({ number }, what, wanted, found) {
    if (JSON.stringify(wanted) === JSON.stringify(found)) return;
    const kinds = new Set(found.map((each) => JSON.stringify(each)));
    const missing = wanted.filter((each) => !kinds.has(JSON.stringify(each))).length;
    this.lost += missing;
    this.doubled += found.length - (wanted.length - missing);
    this.add(`agent ${number}: ${what}: wanted ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`);
  }
}
