import type { EventBody } from '../protocol/event.js';
import type { Launch, Runtime } from '../runtimes/runtime.js';

const workerHint =
  'A key that was set after the worker had started has not reached its agents: they have the environment of its start. Restart it with "handraise down && handraise up -d".';

const containerHint =
  'In a container an agent has a login of its own: a key of the worker, or open the thread with "handraise attach" and sign in there.';

/** A sentence about a missing login, with what whoever has just set a key, or signed in elsewhere, must know besides. */
export function withLoginHint(
  sentence: string,
  { isUnderWorker, container }: Pick<Launch, 'isUnderWorker' | 'container'>,
): string {
  const hints = [...(container ? [containerHint] : []), ...(isUnderWorker === true ? [workerHint] : [])];
  return [sentence, ...hints].join(' ');
}

/** What went wrong, and whether it was a login that is missing. */
export function errorEvent(
  message: string,
  {
    runtime,
    launch,
  }: {
    readonly runtime: Pick<Runtime, 'speaksOfLogin'>;
    readonly launch: Pick<Launch, 'isUnderWorker' | 'container'>;
  },
): EventBody<'error' | 'auth_error'> {
  if (!runtime.speaksOfLogin(message)) return { type: 'error', message };
  return { type: 'auth_error', message: withLoginHint(message, launch) };
}
