import { announced } from './turn.js';

/**
 * What the model saw of one agent: each turn as often as its prompt was new, the prompts of the longest conversation,
 * and the results of tool calls by their id.
 * @typedef {{ fresh: number[], remembered: number[], results: Map<string, string> }} Sight
 */

/** Watches the simulator's requests as they end, because keeping them all would take a megabyte for every ten. */
export class ModelWitness {
  /** @type {Map<number, Sight>} */
  #sights = new Map();
  #seen = 0;

  /** @param {import('../../../dist/simulator/index.js').Simulator} simulator */
  constructor(simulator) {
    /** @type {Set<number>} */
    const noted = new Set();
    void simulator.waitFor((request) => {
      if (request.decision && request.decision.from !== 'side_call' && !noted.has(request.seq)) {
        noted.add(request.seq);
        this.#note(request.conversation?.entries ?? []);
      }
      return false;
    });
  }

  /** How many requests the model was sent. */
  get requests() {
    return this.#seen;
  }

  /** @param {number} agent @returns {Sight} */
  of(agent) {
    const sight = this.#sights.get(agent) ?? { fresh: [], remembered: [], results: new Map() };
    this.#sights.set(agent, sight);
    return sight;
  }

  /** @param {readonly import('../../../dist/simulator/index.js').Entry[]} entries */
  #note(entries) {
    this.#seen += 1;
    const spoken = entries.findLastIndex(({ kind }) => kind === 'assistant' || kind === 'toolCall');
    const prompts = entries.flatMap((entry, place) =>
      entry.kind === 'user' ? announced(entry.text).map((prompt) => ({ ...prompt, place })) : [],
    );
    const agent = prompts[0]?.agent;
    if (agent === undefined) return;
    const sight = this.of(agent);
    sight.fresh.push(...prompts.filter(({ place }) => place > spoken).map(({ turn }) => turn));
    sight.remembered = prompts.map(({ turn }) => turn);
    for (const entry of entries) if (entry.kind === 'toolResult') sight.results.set(entry.callId, entry.text);
  }
}
