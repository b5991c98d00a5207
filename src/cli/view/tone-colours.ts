import type { Tone } from '../../domain/status/status-mark.js';
import type { Colours } from '../terminal/colours.js';

/** The colour of each tone on a terminal. */
export const toneColours = {
  start: 'cyan',
  idle: 'orange',
  work: 'green',
  ask: 'yellow',
  bad: 'red',
  good: 'green',
  land: 'dim',
  quiet: 'dim',
} as const satisfies Record<Tone, keyof Colours>;
