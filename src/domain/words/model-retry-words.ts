import type { ModelRetry } from '../../protocol/status.js';

/** What an agent waits for whose model is down: `the model does not answer, retry 4 of 10`. */
export function modelRetryWords({ attempt, of }: ModelRetry): string {
  return `the model does not answer, retry ${attempt}${of === undefined ? '' : ` of ${of}`}`;
}
