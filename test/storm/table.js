/** What happened in a storm, by kind. @param {readonly import('./evidence.js').Evidence[]} threads */
export function tableOf(threads) {
  /** @type {Record<string, number>} */
  const table = { threads: threads.length };
  const count = (/** @type {string} */ what, more = 1) => {
    table[what] = (table[what] ?? 0) + more;
  };
  const attended = threads.flatMap((thread) => thread.attended);
  count('pieces of work', threads.flatMap(({ works }) => works).length);
  count('prompts', attended.length);
  for (const { shape } of attended) count(`prompts, ${shape}`);
  for (const { found } of attended) count(`answered when the agent was ${found}`);
  for (const { reply } of attended.flatMap(({ tries }) => tries)) {
    if ('value' in reply) count('tries accepted');
    else if ('refused' in reply) count(`tries refused, ${reply.refused}`);
    else count('tries whose reply a kill took');
  }
  count('messages sent while the agent asked', threads.flatMap(({ messages }) => messages).length);
  for (const { blow, moment } of attended.flatMap(({ blows }) => blows)) count(`${blow}, when ${moment}`);
  count('prompts that nobody meant to answer', attended.filter(({ isLeft }) => isLeft).length);
  const cancellations = threads.flatMap(({ works }) => works.map((work) => work.cancellations.length));
  count('pieces of work cancelled', cancellations.filter((times) => times > 0).length);
  count(
    'cancellations of work',
    cancellations.reduce((sum, times) => sum + times, 0),
  );
  for (const { prompts, dispatches, runs, events, log } of threads) {
    for (const { state, actor } of prompts)
      count(`prompts ${state}${actor === 'policy:deadline' ? ' by their deadline' : ''}`);
    for (const { state, actor } of prompts)
      if (state === 'cancelled' && actor?.startsWith('user:')) count('prompts cancelled by a person');
    for (const { outcome } of dispatches) count(`outcomes, ${outcome?.result}`);
    count('lives of agents', runs.filter(({ lastRunSeq }) => lastRunSeq > 0).length);
    count('events', events.length);
    count('actions carried out', log.length);
  }
  return table;
}
