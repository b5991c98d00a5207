import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a spare runner has loaded, as it has in real life. @param {string} sockets */
export async function warmSpare(sockets) {
  const isWarm = () => existsSync(sockets) && readdirSync(sockets).some((name) => name.startsWith('spare-'));
  while (!isWarm()) await sleep(20);
}
