/**
 * @typedef {import('../../dist/protocol/index.js').Prompt} Prompt
 * @typedef {import('../../dist/protocol/index.js').Answer} Answer
 * @typedef {{ word: string | null, answer: Answer | null, isCancellation?: true, reply: import('./worker-keeper.js').Reply }} Try  word: what the model hears of it, if it hears anything
 */

/** Several people who answer the same prompts, each with words of their own. */
export class People {
  #keeper;
  #dice;
  #thread;
  #words = 0;

  /** @param {{ keeper: import('./worker-keeper.js').WorkerKeeper, dice: import('./dice.js').Dice, thread: number }} options */
  constructor({ keeper, dice, thread }) {
    this.#keeper = keeper;
    this.#dice = dice;
    this.#thread = thread;
  }

  /** A word that nobody else says. @param {'wrk' | 'msg' | 'ans' | 'can'} kind */
  newWord(kind) {
    this.#words += 1;
    return `${kind}:${this.#thread}:${this.#words}:`;
  }

  /** All at once. @param {Prompt} prompt @param {number} count @returns {Promise<Try[]>} */
  async answer(prompt, count) {
    const tries = Array.from({ length: count }, () => this.#newAnswer(prompt));
    return await Promise.all(tries.map(async (given) => await this.#send(prompt, given)));
  }

  /** The same answers once more. @param {Prompt} prompt @param {readonly Try[]} tries @returns {Promise<Try[]>} */
  async repeat(prompt, tries) {
    return await Promise.all(
      tries.flatMap(({ answer }) => (answer ? [this.#send(prompt, { word: null, answer })] : [])),
    );
  }

  /** An answer that fits no prompt. @param {Prompt} prompt @returns {Promise<Try>} */
  async garble(prompt) {
    const word = this.newWord('ans');
    /** @type {Answer} */
    const answer = this.#dice.pick([
      { answers: [{ question: 'Never asked?', answer: [word] }] },
      prompt.kind === 'approval'
        ? { answers: prompt.questions.map(({ question }) => ({ question, answer: [word] })) }
        : { decision: { approved: true, message: word } },
    ]);
    return { ...(await this.#send(prompt, { word, answer })), answer: null };
  }

  /** The agent hears why. @param {Prompt} prompt @returns {Promise<Try>} */
  async cancel(prompt) {
    const word = this.newWord('can');
    const reply = await this.#keeper.once((client) =>
      client.prompts.cancel(prompt.id, { reason: `not now, ${word}` }),
    );
    return { word, answer: null, isCancellation: true, reply };
  }

  /** @param {Prompt} prompt @param {{ word: string | null, answer: Answer }} given @returns {Promise<Try>} */
  async #send(prompt, { word, answer }) {
    return {
      word,
      answer,
      reply: await this.#keeper.once((client) => client.prompts.answer(prompt.id, answer)),
    };
  }

  /** @param {Prompt} prompt @returns {{ word: string | null, answer: Answer }} */
  #newAnswer({ kind, questions }) {
    const word = this.newWord('ans');
    if (kind === 'approval') {
      if (this.#dice.between(1, 2) === 1) return { word: null, answer: { decision: { approved: true } } };
      return { word, answer: { decision: { approved: false, message: word } } };
    }
    const isPlain = questions.length === 1 && this.#dice.between(1, 2) === 1;
    if (isPlain) return { word, answer: { text: word } };
    return { word, answer: { answers: questions.map(({ question }) => ({ question, answer: [word] })) } };
  }
}
