import type { StatusReport } from '../../protocol/status.js';
import { exitWords } from './exit-words.js';
import { plainLine } from './plain-text.js';

/** Why an agent has its status, for a person. */
export function statusWords(report: StatusReport): string {
  if (report.state === 'crashed') {
    const { exitCode, signal = null } = report;
    return `the agent's process ended ${exitWords({ exitCode, signal, oom: false })}`;
  }
  if (report.state === 'oomKilled') return "the agent's process ran out of memory";
  return plainLine(report.why);
}

/** What an agent does while it waits for a person: it keeps its process, or sleeps until the answer comes. */
export function waitingWords(report: StatusReport): string {
  if (report.state !== 'question') return '';
  return report.held ? 'waiting, process kept' : statusWords(report);
}
