import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition; says false when a grace was given and passed. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  { graceMs = Number.POSITIVE_INFINITY }: { graceMs?: number } = {},
): Promise<boolean> {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > graceMs) return false;
    await sleep(20);
  }
  return true;
}
