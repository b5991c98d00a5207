import { given } from '../../protocol/given.js';
import type { ObservedReport, ObservedSession } from '../../protocol/observed.js';
import type { StatusReport } from '../../protocol/status.js';
import { plainLine } from '../words/plain-text.js';
import type { LivingSession } from './living-session.js';
import { killedStatus, observedStatus, signsOf } from './observed-status.js';
import { isNews } from './status-arbiter.js';

// Whoever comes back to the desk should see that it died; after a while it is of no interest.
const shownDeadMs = 10 * 60_000;
// An observer says it again every five seconds.
const forgottenAfterMs = 20_000;
const longestTitle = 200;

/** What a session that lives, or lived, is shown as; null where it is shown no more. */
export function sightOf(
  session: LivingSession,
  before: ObservedSession | undefined,
  now: number,
): ObservedSession | null {
  const { runtime, pid, workspace, sessionId } = session;
  const title = plainLine(session.title, { maxLength: longestTitle });
  const facts = { id: livingId(session), runtime, pid, workspace, sessionId, title };
  if (session.isAlive)
    return shown(facts, observedStatus(signsOf(session.evidence), session.asked), before, now);
  // A file that was left behind long ago says nothing about now.
  if (!before || (isOver(before.status) && now - Date.parse(before.changedAt) > shownDeadMs)) return null;
  return shown(facts, killedStatus, before, now);
}

/** Names the process that has the session, whichever session that is. */
export function livingId({ runtime, pid, startTime }: LivingSession): string {
  return `${runtime}-${pid}-${startTime}`.replaceAll(/[^\w-]/g, '_').slice(0, 100);
}

/** What an observer's report is shown as. */
export function reportedSession(
  { id, report }: { readonly id: string; readonly report: ObservedReport },
  before: ObservedSession | undefined,
  now: number,
): ObservedSession {
  const { runtime, workspace, pid, sessionId } = report;
  const title = plainLine(report.title, { maxLength: longestTitle });
  const facts = { id, runtime, title, ...given({ workspace, pid, sessionId }) };
  const since = before?.status.state === report.state ? before.changedAt : new Date(now).toISOString();
  return shown(facts, statusIn(report, since), before, now);
}

/** Whether what an observer said so long ago still counts. */
export function isForgotten({ status }: ObservedSession, silentMs: number): boolean {
  return silentMs > (isOver(status) ? shownDeadMs : forgottenAfterMs);
}

function isOver({ state }: StatusReport): boolean {
  return state === 'crashed' || state === 'stopped';
}

function statusIn(report: ObservedReport, since: string): StatusReport {
  const { state, prompt, exitCode = null, signal, source, confidence } = report;
  const witness = { why: plainLine(report.why), source: plainLine(source), confidence };
  switch (state) {
    case 'busy':
      return { state, since, ...witness };
    case 'question':
      return { state, since, held: true, ...given({ prompt: prompt && plainLine(prompt) }), ...witness };
    case 'crashed':
      return { state, exitCode, ...given({ signal: signal && plainLine(signal) }), ...witness };
    default:
      return { state, ...witness };
  }
}

function shown(
  facts: Omit<ObservedSession, 'status' | 'changedAt'>,
  status: StatusReport,
  before: ObservedSession | undefined,
  now: number,
): ObservedSession {
  const isSame = before !== undefined && !isNews(before.status, status);
  return { ...facts, status, changedAt: isSame ? before.changedAt : new Date(now).toISOString() };
}
