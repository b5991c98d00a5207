import type { Store } from '../store/store.js';

/** Whether any dispatch, landing or pipeline of this worker has not ended, a schedule is active, or a thread is in a terminal. */
export async function isWorkOpen(store: Store): Promise<boolean> {
  const states = ['queued', 'running', 'waiting'] as const;
  const dispatches = states.map(
    async (state) => await store.query('dispatches', { state, own: true, limit: 1 }),
  );
  const pages = await Promise.all([
    ...dispatches,
    store.query('schedules', { active: true, own: true, limit: 1 }),
    store.query('pipelines', { open: true, own: true, limit: 1 }),
    store.query('threads', { inTerminal: true, own: true, limit: 1 }),
  ]);
  const landings = await store.query('landings', { state: 'begun', own: true, limit: 1 });
  return landings.length > 0 || pages.some(({ rows }) => rows.length > 0);
}
