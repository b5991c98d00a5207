import type { AgentStatus } from '../../protocol/status.js';

/** The kind of sign, which every console gives a colour of its own; colour is never the only sign. */
export type Tone = 'start' | 'idle' | 'work' | 'ask' | 'bad' | 'good' | 'land' | 'quiet';

export interface Mark {
  readonly symbol: string;
  readonly word: string;
  readonly tone: Tone;
}

const modelSilent: Mark = { symbol: '!', word: 'Model silent', tone: 'bad' };

/** A status as symbol, word and tone; an agent whose model does not answer is not at work. */
export function statusMark(status: AgentStatus): Mark {
  return status.state === 'busy' && status.modelRetry ? modelSilent : statusMarks[status.state];
}

/** Each state as symbol, word and tone. */
export const statusMarks = {
  initializing: { symbol: '◌', word: 'Starting', tone: 'start' },
  idle: { symbol: '○', word: 'Idle', tone: 'idle' },
  busy: { symbol: '●', word: 'Working', tone: 'work' },
  question: { symbol: '?', word: 'Question', tone: 'ask' },
  crashed: { symbol: '✗', word: 'Crashed', tone: 'bad' },
  oomKilled: { symbol: '✗', word: 'Out of memory', tone: 'bad' },
  stopped: { symbol: '·', word: 'Stopped', tone: 'quiet' },
  unknown: { symbol: '~', word: 'Unknown', tone: 'quiet' },
} as const satisfies Record<AgentStatus['state'], Mark>;
