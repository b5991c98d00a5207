/** A word that only one answer or one message has. */
const mark = /(?:ans|msg):\d+:\d+:/g;

/** Hears what the model is given: for each marked word, in how many places of one conversation it stood at most. */
export class ModelEar {
  requests = 0;
  /** @type {Map<string, number>} */
  #heard = new Map();
  /** @type {Map<string, string[]>} */
  #places = new Map();

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

  /** @param {string} word */
  times(word) {
    return this.#heard.get(word) ?? 0;
  }

  /** Where the word stood, for whoever looks into a violation. @param {string} word */
  places(word) {
    return this.#places.get(word) ?? [];
  }

  /** @param {readonly import('../../../dist/simulator/index.js').Entry[]} entries */
  #note(entries) {
    this.requests += 1;
    /** @type {Map<string, string[]>} */
    const places = new Map();
    for (const entry of entries) {
      if (entry.kind !== 'user' && entry.kind !== 'toolResult') continue;
      for (const word of new Set(entry.text.match(mark)))
        places.set(word, [...(places.get(word) ?? []), `${entry.kind}: ${entry.text.slice(0, 300)}`]);
    }
    for (const [word, found] of places) {
      if (found.length <= this.times(word)) continue;
      this.#heard.set(word, found.length);
      this.#places.set(word, found);
    }
  }
}
