import { randomBytes } from 'node:crypto';
import { newId } from '../../dist/protocol/index.js';

const source = { now: () => Date.now(), randomBytes };

export const newThreadId = () => newId('thread', source);
export const newRunId = () => newId('run', source);
export const newDispatchId = () => newId('dispatch', source);

/** A worker that opens a store by itself, for a measurement. */
export function benchWorker(id = newId('worker', source)) {
  return { id, name: 'bench', startedAt: new Date().toISOString() };
}

/**
 * A thread whose agent is gone.
 * @param {{ id: ReturnType<typeof newThreadId>, path: string, createdAt: string, title?: string }} given
 */
export function threadRow({ id, path, createdAt, title = 'Bench' }) {
  return {
    id,
    title,
    runtime: /** @type {const} */ ('claude'),
    workspace: { path },
    status: /** @type {const} */ ({ state: 'stopped', why: 'bench', source: 'bench', confidence: 'weak' }),
    createdAt,
    launch: { permissions: /** @type {const} */ ('autonomous'), posture: {} },
  };
}
