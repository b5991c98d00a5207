import type { AgentStatus } from '../protocol/status.js';

/** The kind of sign, which every console gives a colour of its own; colour is never the only sign. */
export type Tone = 'start' | 'idle' | 'work' | 'ask' | 'bad' | 'good' | 'quiet';

export interface Mark {
  readonly symbol: string;
  readonly word: string;
  readonly tone: Tone;
}

/** A status as symbol, word and tone. */
export const statusMarks = {
  initializing: { symbol: '◌', word: 'starting', tone: 'start' },
  idle: { symbol: '○', word: 'idle', tone: 'idle' },
  busy: { symbol: '●', word: 'busy', tone: 'work' },
  question: { symbol: '?', word: 'question', tone: 'ask' },
  crashed: { symbol: '✗', word: 'crashed', tone: 'bad' },
  oomKilled: { symbol: '✗', word: 'out of memory', tone: 'bad' },
  stopped: { symbol: '·', word: 'stopped', tone: 'quiet' },
  unknown: { symbol: '~', word: 'unknown', tone: 'quiet' },
} as const satisfies Record<AgentStatus['state'], Mark>;
