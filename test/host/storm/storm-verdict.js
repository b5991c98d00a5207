/**
 * @typedef {import('./storm-thread.js').StormThread} StormThread
 * @typedef {import('./storm-thread.js').Attended} Attended
 * @typedef {import('../../../dist/protocol/index.js').Prompt} Prompt
 */

/** Compares what people were told with what the model heard, and both with what is stored. */
export class StormVerdict {
  /** @type {string[]} */
  violations = [];
  lost = 0;
  doubled = 0;
  #ear;

  /** @param {import('./model-ear.js').ModelEar} ear */
  constructor(ear) {
    this.#ear = ear;
  }

  /** @param {StormThread} thread */
  async judge(thread) {
    const prompts = new Map((await thread.prompts()).map((prompt) => [prompt.id, prompt]));
    for (const attended of thread.attended) {
      const prompt = prompts.get(attended.id);
      if (prompt) this.#judgePrompt(attended, prompt);
      else this.#add(attended, 'is not in the store');
    }
    for (const { id, state } of prompts.values())
      if (state === 'pending') this.violations.push(`${id} is still pending`);
    for (const { word, reply, during } of thread.messages) {
      const least = 'value' in reply ? 1 : 0;
      const most = 'refused' in reply ? 0 : 1;
      this.#hears(word, { least, most, what: `a message during ${nameOf(during)}` });
    }
    this.#judgeActions(thread, [...prompts.values()]);
    await this.#judgeStore(thread);
  }

  /** @param {string} violation */
  add(violation) {
    this.violations.push(violation);
  }

  /** @param {Attended} attended @param {Prompt} prompt */
  #judgePrompt(attended, prompt) {
    const accepted = attended.tries.filter(({ reply }) => 'value' in reply);
    const unknown = attended.tries.filter(({ reply }) => 'unknown' in reply);
    if (accepted.length > 1)
      this.#add(attended, `${accepted.length} people were told that theirs was accepted`);
    if (prompt.state === 'answered') {
      if (accepted.length + unknown.length === 0) this.#add(attended, 'was answered by nobody');
      this.#judgeReceipts(attended, prompt);
    } else if (accepted.some(({ answer }) => answer)) {
      this.#add(attended, `was accepted and then ${prompt.state} (${prompt.reason})`);
      this.lost += 1;
    }
    for (const { word, reply } of attended.tries) {
      if ('refused' in reply && !['prompt_settled', 'invalid'].includes(reply.refused))
        this.#add(attended, `refused an answer with ${reply.refused}: ${reply.detail}`);
      if (word === null) continue;
      const isAccepted = 'value' in reply;
      const most = isAccepted || 'unknown' in reply ? 1 : 0;
      this.#hears(word, { least: isAccepted ? 1 : 0, most, what: nameOf(attended) });
    }
    const heard = attended.tries.filter(({ word }) => word !== null && this.#ear.times(word) > 0);
    if (heard.length > 1) this.#add(attended, `the model heard ${heard.length} different answers`);
  }

  /** @param {Attended} attended @param {Prompt} prompt */
  #judgeReceipts(attended, { createdAt, acceptedAt = '', deliveredAt = '', consumedAt = '' }) {
    const times = [createdAt, acceptedAt, deliveredAt, consumedAt];
    if (times.includes('') || times.some((time, index) => time < (times[index - 1] ?? '')))
      this.#add(attended, `has the receipts ${JSON.stringify(times)}`);
  }

  /** What was approved is done so often at most; a kill in the middle may repeat it. @param {StormThread} thread @param {readonly Prompt[]} prompts */
  #judgeActions(thread, prompts) {
    const approved = prompts.filter(
      ({ action, answers }) => action?.tool === 'Bash' && answers?.[0]?.answer[0] === 'Approve',
    );
    const kills = thread.attended.filter(({ blows }) => blows.length > 0).length;
    if (thread.done() > approved.length + kills)
      this.add(`thread ${thread.number}: ${approved.length} approvals, carried out ${thread.done()} times`);
  }

  /** @param {StormThread} thread */
  async #judgeStore(thread) {
    const events = await thread.events();
    const isCounted = events.every(({ seq }, index) => seq === index + 1);
    if (!isCounted) this.add(`thread ${thread.number}: its events have gaps or repeats`);
    const endings = events
      .filter(({ type }) => type === 'dispatch_ended')
      .map((event) => event['dispatchId']);
    const dispatches = await thread.dispatches();
    const isOnce = dispatches.every(({ id }) => endings.filter((each) => each === id).length === 1);
    if (!isOnce || endings.length !== dispatches.length)
      this.add(`thread ${thread.number}: ${dispatches.length} dispatches, ${endings.length} endings`);
    const settled = events.filter(({ type }) => type === 'prompt_settled').map((event) => event['promptId']);
    if (new Set(settled).size !== settled.length) this.add(`thread ${thread.number}: settled a prompt twice`);
  }

  /** @param {string} word @param {{ least: number, most: number, what: string }} bounds */
  #hears(word, { least, most, what }) {
    const times = this.#ear.times(word);
    if (times < least) this.lost += 1;
    else if (times > most) this.doubled += 1;
    else return;
    const places = this.#ear.places(word).join(' || ');
    this.add(`${what}: the model heard ${word} ${times} times, not ${least} to ${most}. ${places}`);
  }

  /** @param {Attended} attended @param {string} what */
  #add(attended, what) {
    this.add(`${nameOf(attended)} ${what}`);
  }
}

/** @param {Attended} attended */
function nameOf({ id, shape, found, blows }) {
  const struck = blows.map(({ blow, moment }) => `${blow} killed when ${moment}`);
  return `${id} (${[shape, found, ...struck].join(', ')})`;
}
