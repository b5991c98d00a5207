// A worker of the scripted month, as a process of its own: it lives by the month's clock, looks after its work forty times as often as
// usual, and kills itself at one of the moments that it passes.
import { composeHost } from '../../../../dist/compose.js';
import { liveIn } from './world.js';

/** @type {{ home: string, world: string, env: Record<string, string>, settings: import('../../../../dist/compose.js').HostSettings, killAfter: number, schedules?: import('../../../../src/protocol/schedule.js').ScheduleRequest[] }} */
const { home, world, env, settings, killAfter, schedules } = JSON.parse(process.argv[2] ?? '{}');
const actor = 'user:owner';
liveIn(world);
const { setInterval } = globalThis;
globalThis.setInterval = /** @type {typeof setInterval} */ (
  (/** @type {() => void} */ act, /** @type {number} */ ms) => setInterval(act, ms / 40)
);

let left = killAfter;
/** A real kill, at the very moment, with nothing flushed. */
function passed() {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

const composed = await composeHost({
  home,
  env,
  settings,
  log: (line) => process.stderr.write(`${line}\n`),
  failpoint: passed,
});
const { host, store } = composed;
const commit = store.commit.bind(store);
store.commit = async (unit) => {
  passed();
  const result = await commit(unit);
  passed();
  return result;
};
if (schedules) for (const request of schedules) await host.schedules.create(request, actor);

process.on(
  'message',
  (/** @type {{ id: number, answers?: Record<string, string>, isLast?: boolean }} */ order) => {
    if (order.isLast) {
      void leave();
      return;
    }
    void obey(order).then(
      (told) => process.send?.({ id: order.id, ...told }),
      (error) => process.send?.({ id: order.id, error: String(error) }),
    );
  },
);
// Whoever tells the month is gone.
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });

/** Ends with everything that works for it. */
async function leave() {
  await host.stopAgents(actor);
  await composed[Symbol.asyncDispose]();
  process.exit(0);
}

/** Gives the answers that are asked for, and tells what is going on. @param {{ answers?: Record<string, string> }} order */
async function obey({ answers = {} }) {
  for (const [id, text] of Object.entries(answers))
    await host.prompts
      .answer(/** @type {import('../../../../src/protocol/id.js').PromptId} */ (id), { text }, actor)
      // Already answered, or its work is gone.
      .catch(() => {});
  const now = new Date(Date.now()).toISOString();
  const [running, queued, waiting, due, prompts] = await Promise.all([
    store.query('dispatches', { state: 'running', limit: 100 }),
    store.query('dispatches', { state: 'queued', limit: 100 }),
    store.query('dispatches', { state: 'waiting', limit: 100 }),
    store.query('schedules', { active: true, limit: 100 }),
    host.prompts.list({ open: true }),
  ]);
  return {
    open: running.rows.length + queued.rows.length + waiting.rows.length,
    isBusy:
      running.rows.length > 0 ||
      queued.rows.some(({ notBefore }) => notBefore === undefined || notBefore <= now) ||
      due.rows.some(({ dueAt }) => dueAt !== undefined && dueAt <= now),
    hasWaitingTime: due.rows.some(({ waitingAt }) => waitingAt !== undefined),
    prompts: prompts.rows.map(({ id, questions }) => ({ id, question: questions[0]?.question ?? '' })),
  };
}
