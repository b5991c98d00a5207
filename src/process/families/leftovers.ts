import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessFamily } from './process-family.js';
import type { ProcessRow } from './process-source.js';
import { signalProcess } from './signal-process.js';

const LOOK_EVERY_MS = 20;

/** What was left of a family: killed by us, or still there after the last look. */
export type Leftovers = { killed: ProcessRow[]; alive: ProcessRow[] };

/**
 * Kills what is left of a family, look by look, until nothing is left or the time is up.
 * First they get `settleMs` to go: a server whose agent has just ended is about to end by itself, and a group
 * that was killed shows its members as running for some milliseconds more.
 */
export async function killLeftovers(
  family: Pick<ProcessFamily, 'look'>,
  limits: { settleMs: number; killMs: number },
): Promise<Leftovers> {
  await looks(limits.settleMs, () => family.look().length === 0);

  const killed = new Map<string, ProcessRow>();
  let quietLooks = 0;
  await looks(limits.killMs, () => {
    const alive = family.look();
    for (const row of alive) {
      if (signalProcess(row.identity, 'SIGKILL')) killed.set(keyOf(row), row);
    }
    quietLooks = alive.length === 0 ? quietLooks + 1 : 0;
    // A process shows no environment while it is in the middle of exec, so one quiet look is not enough.
    return quietLooks === 2;
  });

  const alive = quietLooks === 2 ? [] : family.look();
  for (const row of alive) killed.delete(keyOf(row));
  return { killed: [...killed.values()], alive };
}

function keyOf(row: ProcessRow): string {
  return `${row.pid} ${row.identity.startTime}`;
}

async function looks(forMs: number, isDone: () => boolean): Promise<void> {
  for (let left = Math.ceil(forMs / LOOK_EVERY_MS); left > 0 && !isDone(); left -= 1) {
    await delay(LOOK_EVERY_MS);
  }
}
