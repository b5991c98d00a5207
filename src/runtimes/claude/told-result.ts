import { given } from '../../protocol/given.js';
import type { TurnEnded } from '../runtime.js';
import type { WireResult } from './wire.js';

/** What Claude Code says of a turn and we do not; parents of an older runner look for it. */
export function toldResult({ stop_reason, modelUsage }: WireResult): NonNullable<TurnEnded['told']> {
  return given({ stopReason: stop_reason ?? undefined, modelUsage: modelUsage ?? undefined });
}
