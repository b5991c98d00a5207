/** A word that only one piece of work, one message or one answer has. */
const mark = /(?:wrk|msg|ans|can):\d+:\d+:/g;

/**
 * Hears what the model is given: for each marked word, in how many places of one conversation it stood at most, and how
 * often it was new, which is to say that the model had said nothing since.
 */
export class ModelEar {
  requests = 0;
  /** @type {Map<string, number>} */
  #heard = new Map();
  /** @type {Map<string, string[]>} */
  #places = new Map();
  /** @type {Map<string, number>} */
  #fresh = new Map();
  /** For each conversation, how often it says that time was up. @type {Map<string, number>} */
  #late = new Map();

  /** @param {import('../../dist/simulator/index.js').Simulator} simulator */
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

  /** How often it was new to the model. @param {string} word */
  timesNew(word) {
    return this.#fresh.get(word) ?? 0;
  }

  /** How often the agent of a thread, and its helpers, were told that nobody answered in time. @param {number} thread */
  timesLate(thread) {
    const its = [...this.#late].filter(([conversation]) => conversation.startsWith(`${thread}:`));
    return its.reduce((sum, [, times]) => sum + times, 0);
  }

  /** Where the word stood, for whoever looks into a violation. @param {string} word */
  places(word) {
    return this.#places.get(word) ?? [];
  }

  /** @param {readonly import('../../dist/simulator/index.js').ConversationEntry[]} entries */
  #note(entries) {
    this.requests += 1;
    /** @type {Map<string, string[]>} */
    const places = new Map();
    const spoken = entries.findLastIndex(({ kind }) => kind === 'assistant' || kind === 'toolCall');
    for (const [place, entry] of entries.entries()) {
      if (entry.kind !== 'user' && entry.kind !== 'toolResult') continue;
      for (const word of new Set(entry.text.match(mark))) {
        places.set(word, [...(places.get(word) ?? []), `${entry.kind}: ${entry.text.slice(0, 300)}`]);
        if (place > spoken) this.#fresh.set(word, this.timesNew(word) + 1);
      }
    }
    this.#noteLate(entries);
    for (const [word, found] of places) {
      if (found.length <= this.times(word)) continue;
      this.#heard.set(word, found.length);
      this.#places.set(word, found);
    }
  }
  /** @param {readonly import('../../dist/simulator/index.js').ConversationEntry[]} entries */
  #noteLate(entries) {
    const told = entries.flatMap((entry) =>
      entry.kind === 'user' || entry.kind === 'toolResult' ? [entry] : [],
    );
    const all = told.map(({ text }) => text).join('\n');
    const [, kind, thread, number] = all.match(/(wrk|sub):(\d+):(\d+):/) ?? [];
    const times = told.reduce((sum, entry) => sum + timesLateIn(entry), 0);
    // Helpers have conversations of their own; that of a thread may begin with whichever work is its first.
    const conversation = `${thread}:${kind === 'sub' ? number : 'main'}`;
    this.#late.set(conversation, Math.max(times, this.#late.get(conversation) ?? 0));
  }
}

/**
 * Codex and OpenCode take a reply to each part of a question, so that one result may say it of every part. OpenCode is told of
 * several calls in the result of the first.
 * @param {{ kind: 'user' | 'toolResult', text: string }} entry
 */
function timesLateIn({ kind, text }) {
  if (kind === 'user') return text.match(/nobody answered in time/gi)?.length ?? 0;
  const calls = text.split('was refused as well, for a reason of its own:');
  return calls.filter((words) => /nobody answered in time/i.test(words)).length;
}
