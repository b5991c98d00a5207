import { randomBytes } from 'node:crypto';
import { newId } from '../../dist/protocol/index.js';

const source = { now: () => Date.now(), randomBytes };

export const newRunId = () => newId('run', source);

/** Who opens a store for a measurement; another one each time, because nobody comes back to what it left. */
export function benchWorker() {
  const id = newId('worker', source);
  return { id, name: `bench:${id}`, startedAt: new Date().toISOString() };
}

/**
 * A thread without an agent.
 * @param {{ path: string, createdAt: string, title?: string }} given
 */
export function threadRow({ path, createdAt, title = 'Bench' }) {
  return {
    id: newId('thread', source),
    title,
    runtime: /** @type {const} */ ('claude'),
    workspace: { path },
    status: /** @type {const} */ ({ state: 'stopped', why: 'bench', source: 'bench', confidence: 'weak' }),
    createdAt,
    launch: { permissions: /** @type {const} */ ('autonomous'), posture: {} },
  };
}

/**
 * Work for a thread that nobody has begun.
 * @param {{ threadId: import('../../dist/protocol/index.js').ThreadId, createdAt: string, text?: string }} given
 */
export function queuedRow({ threadId, createdAt, text = 'Do it.' }) {
  return {
    id: newId('dispatch', source),
    threadId,
    text,
    actor: 'user:owner',
    state: /** @type {const} */ ('queued'),
    priority: 0,
    request: { text, thread: threadId },
    createdAt,
  };
}
