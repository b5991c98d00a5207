import type { Dispatch } from '../../protocol/dispatch.js';
import { clockTime } from './clock-time.js';
import { plainLine } from './plain-text.js';

const longestWhy = 1000;

/** Why queued work has not begun: `waits for quota until 14:05`, or what its worker says. */
export function queuedWords(
  { waitsFor, notBefore, why }: Pick<Dispatch, 'waitsFor' | 'notBefore' | 'why'>,
  now: number,
): string {
  if (waitsFor === 'quota' && notBefore !== undefined)
    return `waits for quota until ${clockTime(notBefore, { now })}`;
  return plainLine(why ?? '', { maxLength: longestWhy });
}
