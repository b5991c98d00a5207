import type { Launch } from '../runtimes/runtime.js';

const workerHint =
  'A key that was set after the worker had started has not reached its agents: they have the environment of its start. Restart it with "handraise down && handraise up -d".';

/** A sentence about a missing login, with what whoever has just set a key must know besides. */
export function withLoginHint(sentence: string, { isUnderWorker }: Pick<Launch, 'isUnderWorker'>): string {
  return isUnderWorker === true ? `${sentence} ${workerHint}` : sentence;
}
