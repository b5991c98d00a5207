import { setTimeout as sleep } from 'node:timers/promises';

// Ends a hang and limits no speed: a machine that is busy with other work is slow, and still right.
const hangMs = 5 * 60 * 1000;
const lookAgainMs = 20;

/** Waits until it holds; `what` ends the sentence "Gave up waiting until …". */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { giveUpAfterMs = hangMs }: { readonly giveUpAfterMs?: number } = {},
): Promise<void> {
  if (await holdsWithin(giveUpAfterMs, holds)) return;
  throw new Error(`Gave up waiting until ${what}, after ${giveUpAfterMs / 1000} seconds.`);
}

/** A value, once it is as wanted; giving up shows how it was at last. */
export async function eventually<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  let value = await look();
  const holds = async () => {
    value = await look();
    return isSo(value);
  };
  if (isSo(value) || (await holdsWithin(hangMs, holds))) return value;
  throw new Error(`Gave up waiting until ${what}; at last it was ${JSON.stringify(value)?.slice(0, 2000)}`);
}

/** Whether it comes to hold within a time; for what may rightly never hold. */
export async function holdsWithin(ms: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > ms) return false;
    await sleep(lookAgainMs);
  }
  return true;
}
