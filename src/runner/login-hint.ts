import type { EventBody } from '../protocol/event.js';
import type { Launch, Runtime } from '../runtimes/runtime.js';

const workerHint =
  'A key that was set after the worker had started has not reached its agents: they have the environment of its start. Restart it with "handraise down && handraise up -d".';

/** A sentence about a missing login, with what whoever has just set a key must know besides. */
export function withLoginHint(sentence: string, { isUnderWorker }: Pick<Launch, 'isUnderWorker'>): string {
  return isUnderWorker === true ? `${sentence} ${workerHint}` : sentence;
}

/** What went wrong, and whether it was a login that is missing. */
export function errorEvent(
  message: string,
  {
    runtime,
    launch,
  }: { readonly runtime: Pick<Runtime, 'speaksOfLogin'>; readonly launch: Pick<Launch, 'isUnderWorker'> },
): EventBody<'error' | 'auth_error'> {
  if (!runtime.speaksOfLogin(message)) return { type: 'error', message };
  return { type: 'auth_error', message: withLoginHint(message, launch) };
}
