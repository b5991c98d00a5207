import { breaks } from './blows.js';
import { lastWords } from './work.js';

/**
 * @typedef {import('./evidence.js').Evidence} Evidence
 * @typedef {import('./storm-thread.js').Attended} Attended
 * @typedef {import('../../dist/protocol/index.js').Prompt} Prompt
 * @typedef {{ times(word: string): number, timesNew(word: string): number, timesLate(thread: number): number, places(word: string): readonly string[] }} Ear  what the model heard
 */

/**
 * Compares what people were told with what the model heard, and both with what is stored and what lies on the disk.
 * A thread whose agent nobody killed or parked is judged strictly: it had one runner from its first work to its end, every
 * tool ran once, and nothing was told to the model twice.
 */
export class Verdict {
  /** @type {string[]} */
  violations = [];
  lost = 0;
  doubled = 0;
  /** Threads whose agent lived through it all. */
  unbroken = 0;
  #ear;

  /** @param {Ear} ear */
  constructor(ear) {
    this.#ear = ear;
  }

  /** @param {Evidence} thread */
  judge(thread) {
    const isUnbroken = wasNeverBroken(thread);
    if (isUnbroken) this.unbroken += 1;
    const prompts = new Map(thread.prompts.map((prompt) => [prompt.id, prompt]));
    const calledOff = new Set(
      thread.works.flatMap((work) => (wasCalledOff(work, thread) ? work.prompts : [])),
    );
    const cancelled = new Set(
      thread.works.flatMap((work) => (work.cancellations.length > 0 ? work.prompts : [])),
    );
    for (const attended of thread.attended) {
      const prompt = prompts.get(attended.id);
      const isCalledOff = calledOff.has(attended.id);
      const isCancelled = cancelled.has(attended.id);
      const calls = prompt ? callsThatAsked(prompt, thread) : 0;
      if (prompt) this.#judgePrompt(attended, prompt, { isUnbroken, isCalledOff, isCancelled, calls });
      else this.#add(attended, 'is not in the store');
    }
    for (const { id, state } of prompts.values()) if (state === 'pending') this.add(`${id} is still pending`);
    for (const { word, reply, during } of thread.messages) {
      const least = 'value' in reply ? 1 : 0;
      const most = 'refused' in reply ? 0 : timesTold(word, thread);
      this.#hears(word, { least, most, isUnbroken, what: `a message during ${nameOf(during)}` });
    }
    this.#judgeWorks(thread, isUnbroken);
    this.#judgeOutcomes(thread);
    this.#judgeLateness(thread);
    this.#judgeActions(thread, isUnbroken);
    this.#judgeEvents(thread);
    this.#judgeRuns(thread);
    if (isUnbroken) this.#judgeOneLife(thread);
  }

  /** @param {string} violation */
  add(violation) {
    this.violations.push(violation);
  }

  /** @param {Attended} attended @param {Prompt} prompt @param {{ isUnbroken: boolean, isCalledOff: boolean, isCancelled: boolean, calls: number }} how  isCalledOff: its work was ended from outside; isCancelled: by a person; calls: in how many calls it was asked */
  #judgePrompt(attended, prompt, { isUnbroken, isCalledOff, isCancelled, calls }) {
    const accepted = attended.tries.filter(({ reply }) => 'value' in reply);
    const unknown = attended.tries.filter(({ reply }) => 'unknown' in reply);
    if (accepted.length > 1)
      this.#add(attended, `${accepted.length} people were told that theirs was accepted`);
    const isByDeadline = prompt.actor === 'policy:deadline';
    if (isByDeadline) this.#judgeDeadline(attended, prompt, { accepted: accepted.length, isCancelled });
    if (prompt.state === 'answered') {
      if (!isByDeadline && accepted.length + unknown.length === 0)
        this.#add(attended, 'was answered by nobody');
      if (!isCalledOff) this.#judgeReceipts(attended, prompt);
    } else if (accepted.some(({ answer }) => answer) && !isCalledOff) {
      this.#add(attended, `was accepted and then ${prompt.state} (${prompt.reason})`);
      this.lost += 1;
    }
    if (accepted.some(({ isCancellation }) => isCancellation) && prompt.state !== 'cancelled') {
      this.#add(attended, `was cancelled and then ${prompt.state}`);
      this.lost += 1;
    }
    // An agent that is ended as it is told may not live to note it; its next life asks again, or goes on without.
    const mayBeUnheard = attended.blows.some(({ blow }) => breaks(blow));
    for (const { word, reply, isCancellation } of attended.tries) {
      if ('refused' in reply && !['prompt_settled', 'invalid'].includes(reply.refused))
        this.#add(attended, `refused an answer with ${reply.refused}: ${reply.detail}`);
      if (word === null) continue;
      const isAccepted = 'value' in reply;
      // One whose session has forgotten that it asked is told the answer, and may ask once more; nobody is asked again.
      const timesAsked = mayBeUnheard && calls > 1 ? 2 : 1;
      const most = isAccepted || 'unknown' in reply ? timesAsked : 0;
      const isExcused = isCalledOff || (isCancellation && mayBeUnheard);
      const least = isAccepted && !isExcused ? 1 : 0;
      this.#hears(word, { least, most, isUnbroken, what: nameOf(attended) });
    }
    const heard = attended.tries.filter(({ word }) => word !== null && this.#ear.times(word) > 0);
    if (heard.length > 1) this.#add(attended, `the model heard ${heard.length} different answers`);
  }

  /**
   * What silence led to is what the work asked for, unless the work was called off before its agent got the answer of the policy.
   * @param {Attended} attended @param {Prompt} prompt @param {{ accepted: number, isCancelled: boolean }} how
   */
  #judgeDeadline(attended, { kind, state, deadline, onUnanswered }, { accepted, isCancelled }) {
    const isDefault = onUnanswered === 'default_option' && kind === 'ask_user_question';
    const wanted = isDefault ? 'answered' : onUnanswered === 'fail' ? 'failed' : 'cancelled';
    if (deadline === undefined || onUnanswered === 'wait')
      this.#add(attended, 'has run out of a time that it never had');
    else if (state !== wanted && !(isDefault && isCancelled && state === 'failed'))
      this.#add(attended, `was ${state} after ${onUnanswered}`);
    if (accepted > 0) {
      this.#add(attended, 'was accepted and then settled by its deadline');
      this.lost += 1;
    }
  }

  /** The agent hears of each deadline once; one that was ended meanwhile may not have. @param {Evidence} thread */
  #judgeLateness(thread) {
    const { number, prompts, attended, works } = thread;
    const late = prompts.filter(({ state, reason }) => state === 'cancelled' && reason === 'deadline').length;
    // An agent may hear of a question that failed before its work is stopped.
    const failed = prompts.filter(({ state }) => state === 'failed').length;
    const heard = this.#ear.timesLate(number);
    const isExcused =
      attended.some(({ blows }) => blows.some(({ blow }) => breaks(blow))) ||
      works.some((work) => wasCalledOff(work, thread));
    const what = `the model heard ${heard} times that nobody answered in time, not ${late} times`;
    if (heard > late + failed) this.#count(number, what, { doubled: 1 });
    if (heard < late && !isExcused) this.#count(number, what, { lost: 1 });
  }

  /** Work has the outcome that whoever called it off was told, and none is called off by nobody. @param {Evidence} thread */
  #judgeOutcomes(thread) {
    const { number, works, prompts, dispatches } = thread;
    for (const { id, cancellations, prompts: asked } of works) {
      const result = dispatches.find((dispatch) => dispatch.id === id)?.outcome?.result;
      if (result === undefined) this.#count(number, `${id} has no outcome`, { lost: 1 });
      for (const reply of cancellations) {
        if ('refused' in reply)
          this.add(`thread ${number}: ${id} could not be cancelled: ${reply.refused}, ${reply.detail}`);
        const told = 'value' in reply ? cancelledResult(reply.value) : result;
        if (told !== result) this.add(`thread ${number}: ${id} was said to be ${told}, and is ${result}`);
      }
      const hasFailed = prompts.some((prompt) => asked.includes(prompt.id) && prompt.state === 'failed');
      if (hasFailed && result !== 'blocked' && result !== 'cancelled')
        this.add(`thread ${number}: ${id} is ${result} though a question of it failed`);
      if (result === 'cancelled' && cancellations.length === 0)
        this.add(`thread ${number}: ${id} was cancelled by nobody`);
    }
  }

  /** @param {Attended} attended @param {Prompt} prompt */
  #judgeReceipts(attended, { createdAt, acceptedAt = '', deliveredAt = '', consumedAt = '' }) {
    const times = [createdAt, acceptedAt, deliveredAt, consumedAt];
    if (times.includes('') || times.some((time, index) => time < (times[index - 1] ?? '')))
      this.#add(attended, `has the receipts ${JSON.stringify(times)}`);
  }

  /** Work is told to the model; the next try of work whose agent was killed may tell it again. @param {Evidence} thread @param {boolean} isUnbroken */
  #judgeWorks(thread, isUnbroken) {
    const most = isUnbroken ? 1 : Number.POSITIVE_INFINITY;
    for (const work of thread.works) {
      const { word, number } = work;
      const least = wasCalledOff(work, thread) ? 0 : 1;
      this.#hears(word, { least, most, isUnbroken, what: `work ${number} of thread ${thread.number}` });
    }
  }

  /** What was approved is done so often, and what was asked for; a kill in the middle may repeat it. @param {Evidence} thread @param {boolean} isUnbroken */
  #judgeActions({ number, acts, works, prompts, attended, log }, isUnbroken) {
    const kills = attended.filter(({ blows }) => blows.some(({ blow }) => breaks(blow))).length;
    const approved = prompts.filter(
      ({ action, answers }) => action?.tool === 'Bash' && answers?.[0]?.answer[0] === 'Approve',
    ).length;
    const wanted = acts
      ? works.map((work) => String(work.number))
      : Array.from({ length: approved }, () => 'did');
    if (isUnbroken) return this.#same(number, 'actions', wanted, log);
    if (log.length > wanted.length + kills)
      this.#count(number, `${wanted.length} actions, carried out ${log.length} times`, { doubled: 1 });
  }

  /** @param {Evidence} thread */
  #judgeEvents({ number, events, dispatches }) {
    this.#same(
      number,
      'numbers of events',
      events.map((_, index) => index + 1),
      events.map(({ seq }) => seq),
    );
    this.#sameOnes(
      number,
      'endings of dispatches',
      dispatches.map(({ id }) => id),
      events.filter(({ type }) => type === 'dispatch_ended').map((event) => event['dispatchId']),
    );
    const settled = events.filter(({ type }) => type === 'prompt_settled').map((event) => event['promptId']);
    this.#sameOnes(number, 'settled prompts', [...new Set(settled)], settled);
  }

  /** Every run is stored from its first event to its last, and has ended. @param {Evidence} thread */
  #judgeRuns({ number, events, runs }) {
    for (const { id, lastRunSeq, endedAt } of runs) {
      const ofRun = events.filter(({ runId, runSeq }) => runId === id && runSeq !== null);
      this.#same(
        number,
        `numbers of the events of ${id}`,
        Array.from({ length: lastRunSeq }, (_, index) => index + 1),
        ofRun.map(({ runSeq }) => runSeq),
      );
      if (endedAt === undefined) this.add(`thread ${number}: ${id} has not ended`);
    }
  }

  /** @param {Evidence} thread */
  #judgeOneLife({ number, acts, events, runs, runners, dispatches, prompts, messages }) {
    const of = (/** @type {string[]} */ ...types) =>
      events.flatMap(({ type }) => (types.includes(type) ? [type] : []));
    this.#same(number, 'runners', [runners[0], runners[0]], runners);
    this.#same(number, 'starts', ['ready'], of('ready'));
    this.#same(number, 'last words', ['shutdown'], of('complete', 'shutdown'));
    // A run without an event is one whose worker died between its row and its process.
    this.#same(
      number,
      'runs',
      [{ process: runners[0], wasEndedByUs: true, hasExit: true }],
      runs
        .filter(({ lastRunSeq }) => lastRunSeq > 0)
        .map(({ process, killIntent, exit }) => ({
          process: `${process?.pid} since ${process?.startTime}`,
          wasEndedByUs: killIntent !== undefined,
          hasExit: exit !== undefined,
        })),
    );
    const asIntended = prompts.every(
      ({ kind, state, answers }) =>
        state === 'answered' && (kind !== 'approval' || answers?.[0]?.answer[0] === 'Approve'),
    );
    if (asIntended)
      this.#same(
        number,
        'outcomes',
        dispatches.map(() => ['succeeded', lastWords]),
        // What the model says to a message, or to an answer that comes as one, is what the work ends with.
        dispatches.map(({ outcome }) => [
          outcome?.result,
          acts && messages.length === 0 ? outcome?.summary : lastWords,
        ]),
      );
    for (const event of events)
      if (['interrupted', 'error', 'command_error', 'json_parse_error', 'unrecognized'].includes(event.type))
        this.add(`thread ${number}: ${JSON.stringify(event)}`);
  }

  /** @param {string} word @param {{ least: number, most: number, isUnbroken: boolean, what: string }} bounds */
  #hears(word, { least, most, isUnbroken, what }) {
    // Where nothing but workers died, the model is given each word as something new once.
    const times = isUnbroken
      ? Math.max(this.#ear.times(word), this.#ear.timesNew(word))
      : this.#ear.times(word);
    if (times < least) this.lost += 1;
    else if (times > most) this.doubled += 1;
    else return;
    const places = this.#ear.places(word).join(' || ');
    this.add(`${what}: the model heard ${word} ${times} times, not ${least} to ${most}. ${places}`);
  }

  /** In whatever order. @param {number} thread @param {string} what @param {readonly unknown[]} wanted @param {readonly unknown[]} found */
  #sameOnes(thread, what, wanted, found) {
    this.#same(thread, what, sortedWords(wanted), sortedWords(found));
  }

  /** @param {number} thread @param {string} what @param {readonly unknown[]} wanted @param {readonly unknown[]} found */
  #same(thread, what, wanted, found) {
    if (JSON.stringify(wanted) === JSON.stringify(found)) return;
    const kinds = new Set(found.map((each) => JSON.stringify(each)));
    const missing = wanted.filter((each) => !kinds.has(JSON.stringify(each))).length;
    const counts = { lost: missing, doubled: Math.max(0, found.length - (wanted.length - missing)) };
    this.#count(thread, `${what}: wanted ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`, counts);
  }

  /** @param {number} thread @param {string} what @param {{ lost?: number, doubled?: number }} counts */
  #count(thread, what, { lost = 0, doubled = 0 }) {
    this.lost += lost;
    this.doubled += doubled;
    this.add(`thread ${thread}: ${what}`);
  }

  /** @param {Attended} attended @param {string} what */
  #add(attended, what) {
    this.add(`${nameOf(attended)} ${what}`);
  }
}

/** How often a message may be told: one that is a piece of work of its own is told again by its next try. @param {string} word @param {Evidence} thread */
function timesTold(word, { dispatches }) {
  return dispatches.find(({ text }) => text.includes(word))?.attempts.length ?? 1;
}

/** In how many calls the agent asked a question until it had used the answer; a call that is taken up again is the same one. @param {Prompt} prompt @param {Evidence} thread */
function callsThatAsked({ questions, createdAt, consumedAt = createdAt }, { events }) {
  const wanted = questions?.[0]?.question;
  const calls = events.flatMap((event) => {
    const { type } = event;
    const timestamp = String(event['timestamp']);
    if (type !== 'user_question_request' || timestamp < createdAt || timestamp > consumedAt) return [];
    const [asked] = /** @type {{ question: string }[]} */ (event['questions'] ?? []);
    return asked?.question === wanted ? [event['toolUseId']] : [];
  });
  return new Set(calls).size;
}

/** Whether nobody ended the agent of a thread or its runner, let it go, or called off its work. @param {Evidence} thread */
function wasNeverBroken(thread) {
  const { attended, events, works } = thread;
  const wasHit = attended.some(({ blows }) => blows.some(({ blow }) => breaks(blow)));
  const wasParked = events.some(({ type }) => type === 'parked');
  return !wasHit && !wasParked && !works.some((work) => wasCalledOff(work, thread));
}

/** Whether work may have been ended from outside: by a person, or by a question of it that failed. @param {import('./storm-thread.js').Work} work @param {Evidence} thread */
function wasCalledOff({ cancellations, prompts: asked }, { prompts }) {
  return (
    cancellations.length > 0 || prompts.some(({ id, state }) => state === 'failed' && asked.includes(id))
  );
}

/** @param {unknown} dispatch */
function cancelledResult(dispatch) {
  return /** @type {import('../../dist/protocol/index.js').Dispatch} */ (dispatch).outcome?.result;
}

/** @param {Attended} attended */
function nameOf({ id, shape, found, blows }) {
  const struck = blows.map(({ blow, moment }) => `${blow} when ${moment}`);
  return `${id} (${[shape, found, ...struck].join(', ')})`;
}

/** @param {readonly unknown[]} all */
function sortedWords(all) {
  return all.map(String).toSorted();
}
